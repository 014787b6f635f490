// The signing port against the real signer, over its local socket and over TLS alike.
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GATEWAY_ACCOUNT } from '@ducat/core/signing/key-path';
import { readPermissions } from '@ducat/signer/permissions';
import { type RunningSigner, serve } from '@ducat/signer/server/serve';
import {
  evmPayout,
  openSigningPlace,
  type SigningPlace,
  startMs,
  tronPayout,
} from '@ducat/signer/testing/signing-place';
import { gatewayTls, signerTls, strangerTls } from '@ducat/signer/testing/tls-certificates';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evmAddressScheme } from '../../chains/evm/address.ts';
import { Outage } from '../../runtime/outage.ts';
import type { SignerSocketOptions, SignerTls } from './ask-signer.ts';
import { connectSigning } from './signing.ts';
import { connectSigner } from './socket.ts';

const keyId = '0011223344556677';
const methods = {
  payer: ['sign-payout'],
  collector: ['sign-collection', 'account-public-key'],
  api: ['account-public-key'],
};
type Client = keyof typeof methods;

let folder: string;
let place: SigningPlace;
let signer: RunningSigner;
let options: Record<'socket' | 'tls' | 'stranger' | 'other-name', SignerSocketOptions['socketPath']>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ducat-conform-'));
  place = openSigningPlace();
  const clients = Object.entries(methods).map(([name, allowed]) => {
    const tokenSha256 = createHash('sha256').update(tokenOf(name)).digest('hex');
    return { name, tokenSha256, methods: allowed };
  });
  const socketPath =
    process.platform === 'win32' ? `\\\\.\\pipe\\ducat-conform-${process.pid}` : join(folder, 's.sock');
  signer = await serve({
    socketPath,
    seed: Buffer.alloc(64, 7),
    keyId,
    permissions: readPermissions(JSON.stringify({ clients })),
    signing: place.signer(),
    tls: { host: '127.0.0.1', port: 0, ...signerTls },
    log: () => undefined,
  });
  const at = (host: string, tls: Pick<SignerTls, 'ca' | 'cert' | 'key'>) => ({
    host,
    port: signer.tlsPort ?? 0,
    ...tls,
  });
  options = {
    socket: socketPath,
    tls: at('127.0.0.1', gatewayTls),
    stranger: at('127.0.0.1', strangerTls),
    'other-name': at('localhost', gatewayTls),
  };
});
afterAll(async () => {
  await signer.close();
  place.remove();
  await rm(folder, { recursive: true, force: true });
});

function tokenOf(client: string): string {
  return client.padEnd(40, '-');
}

function by(client: Client, way: keyof typeof options): SignerSocketOptions {
  return { socketPath: options[way], client, token: tokenOf(client), timeoutMs: 20_000, keyId };
}

describe.each(['socket', 'tls'] as const)('the signer over %s', (way) => {
  const id = `pay_${way}`;
  const nonce = way === 'tls' ? 1 : 0;

  it('signs an intent, says the same again, and says why it does not sign another', async () => {
    const payer = connectSigning(by('payer', way));
    const intent = evmPayout(id, nonce);
    const answer = await payer.sign(intent, 0);
    expect(answer).toMatchObject({ outcome: 'signed', ...place.keyring.sign(intent) });
    expect(await payer.sign(intent, answer.logSequence)).toEqual(answer);
    expect(await payer.sign({ ...intent, nonce: 9 }, 0)).toEqual({
      outcome: 'refused',
      reason: 'subject-differs',
      logSequence: answer.logSequence + 1,
    });
    const subject = { kind: 'payout', id: `tron_${way}`, approval: null } as const;
    expect(await payer.sign(tronPayout(subject, startMs), 0)).toMatchObject({ outcome: 'signed' });
  });

  it('gives each client its own rights: the api none, the collector no payouts, the payer no collections', async () => {
    const intent = evmPayout(id, nonce);
    for (const client of ['api', 'collector'] as const) {
      const asked = connectSigning(by(client, way)).sign(intent, 0);
      await expect(asked).rejects.toThrow('the signer refused sign-payout: forbidden');
    }
    const collection = { ...intent, subject: { kind: 'cold', id: 'm', approval: null } } as const;
    await expect(connectSigning(by('payer', way)).sign(collection, 0)).rejects.toThrow('forbidden');
    expect(await connectSigning(by('collector', way)).sign(collection, 0)).toMatchObject({
      reason: 'destination',
    });
  });

  it('gives the public keys from which the addresses of its wallets follow', async () => {
    const path = { account: GATEWAY_ACCOUNT, branch: 'wallet', index: 4 } as const;
    const key = await connectSigner(by('api', way)).accountPublicKey('evm', GATEWAY_ACCOUNT);
    expect(evmAddressScheme.derive(key, 4, 'wallet')).toBe(place.keyring.address('evm', path));
  });

  it('is not believed when it holds another seed', async () => {
    const pinned = { ...by('payer', way), keyId: 'ffffffffffffffff' };
    await expect(connectSigning(pinned).sign(evmPayout(id, nonce), 0)).rejects.toThrow('another seed');
  });
});

it.each(['stranger', 'other-name'] as const)(
  'lets no %s through TLS, and says no word to it',
  async (way) => {
    const asked = connectSigning(by('payer', way)).sign(evmPayout('p', 7), 0);
    await expect(asked).rejects.toThrow(Outage);
  },
);
