// Sweeps equal viem's byte by byte, and a gateway under an attacker's control gets no other authorisation.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { deploymentCall, sweeperAddress, sweeperCode } from '@ducat/core/collection/sweeper';
import { GATEWAY_ACCOUNT, type KeyPath, walletPath } from '@ducat/core/signing/key-path';
import { intentRecord } from '@ducat/core/signing/intent-record';
import type { EvmTransferIntent, SweptAddress } from '@ducat/core/signing/transfer-intent';
import { HDKey } from '@scure/bip32';
import {
  concat,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  keccak256,
  parseAbi,
  recoverAddress,
  toHex,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { hashAuthorization } from 'viem/utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifySigningLog } from '../log/signing-log.ts';
import {
  deposit,
  evmPayout,
  openSigningPlace,
  type SigningPlace,
  stranger,
  usdt,
  wallet,
} from '../testing/signing-place.ts';

const factory = '0x4e59b44847b379578588920ca78fbf26c0b4956c';
const abi = parseAbi(['function sweepMany(address, address[])']);
const gasKey = walletPath(GATEWAY_ACCOUNT);

let place: SigningPlace;
beforeEach(() => {
  place = openSigningPlace();
});
afterEach(() => place.remove());

const addressOf = (path: KeyPath): string => place.keyring.address('evm', path);

function swept(index: number, nonce: number | null = 0): SweptAddress {
  return { index, address: addressOf({ ...deposit, index }), nonce };
}

function sweep(id: string, nonce: number, change: Partial<EvmTransferIntent> = {}): EvmTransferIntent {
  return evmPayout(id, nonce, {
    subject: { kind: 'collection', id, recipient: wallet },
    key: gasKey,
    to: addressOf(wallet),
    gasLimit: 400_000n,
    sweeping: { type: 'sweep', from: [swept(7), swept(8, 3), swept(9, null)] },
    ...change,
  });
}

function deployment(change: Partial<EvmTransferIntent> = {}): EvmTransferIntent {
  const subject = { kind: 'funding', id: 'swp', recipient: wallet } as const;
  return sweep('swp', 0, {
    subject,
    contract: null,
    baseUnits: 0n,
    sweeping: { type: 'deploy' },
    ...change,
  });
}

function keyAt(path: string): Hex {
  // The seed of the signing place.
  const { privateKey } = HDKey.fromMasterSeed(Buffer.alloc(64, 7)).derive(path);
  return privateKey === null ? '0x' : toHex(privateKey);
}

function sweeperOfWallet(): Hex {
  return getContractAddress({
    opcode: 'CREATE2',
    from: factory,
    salt: toHex(0, { size: 32 }),
    bytecode: `0x${deploymentCall(addressOf(wallet)).slice(64)}`,
  });
}

describe('a sweep', () => {
  it('is what viem makes of it, with an authorisation by each address that delegates to nothing yet', async () => {
    const sender = privateKeyToAccount(keyAt(`m/44'/60'/${GATEWAY_ACCOUNT}'/1/0`));
    const intent = sweep('a', 5);
    const contractAddress = sweeperOfWallet();
    const authorizationList = await Promise.all(
      [
        { index: 7, nonce: 0 },
        { index: 8, nonce: 3 },
      ].map(({ index, nonce }) =>
        privateKeyToAccount(keyAt(`m/44'/60'/3'/0/${index}`)).signAuthorization({
          contractAddress,
          chainId: 1,
          nonce,
        }),
      ),
    );
    const addresses = [7, 8, 9].map((index): Hex => `0x${swept(index).address.slice(2)}`);
    const call = {
      to: contractAddress,
      data: encodeFunctionData({ abi, functionName: 'sweepMany', args: [usdt, addresses] }),
      nonce: 5,
      chainId: 1,
      gas: 400_000n,
      maxFeePerGas: 20_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
    };
    const expected = await sender.signTransaction({ ...call, type: 'eip7702', authorizationList });
    expect(place.keyring.sign(intent)).toEqual({ bytes: expected.slice(2), txId: keccak256(expected) });
    const [first] = authorizationList;
    const signer = await recoverAddress({
      hash: hashAuthorization({ contractAddress, chainId: 1, nonce: 0 }),
      signature: { r: first?.r ?? '0x', s: first?.s ?? '0x', yParity: first?.yParity ?? 0 },
    });
    expect(signer.toLowerCase()).toBe(swept(7).address);
    // Where all addresses delegate already, there is no authorisation list, and the transaction is of type 2.
    const later = sweep('b', 6, { sweeping: { type: 'sweep', from: [swept(7, null)] } });
    const data = encodeFunctionData({ abi, functionName: 'sweepMany', args: [usdt, addresses.slice(0, 1)] });
    const plain = await sender.signTransaction({ ...call, type: 'eip1559', nonce: 6, data });
    expect(place.keyring.sign(later).bytes).toBe(plain.slice(2));
  });

  it('goes to a contract that the factory makes of the code that its source compiles to', async () => {
    const to = addressOf(wallet);
    const keccak = (hex: string): string => keccak256(`0x${hex}`).slice(2);
    expect(sweeperAddress(to, keccak)).toBe(sweeperOfWallet().toLowerCase());
    const sender = privateKeyToAccount(keyAt(`m/44'/60'/${GATEWAY_ACCOUNT}'/1/0`));
    const fees = { maxFeePerGas: 20_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };
    const data = concat([toHex(0, { size: 32 }), `0x${deploymentCall(to).slice(64)}`]);
    const tx = { type: 'eip1559', to: factory, data, nonce: 0, chainId: 1, gas: 400_000n, ...fees } as const;
    expect(place.keyring.sign(deployment()).bytes).toBe((await sender.signTransaction(tx)).slice(2));
    expect(sweeperCode(to).endsWith(to.slice(2))).toBe(true);
    const read = (name: string) => readFileSync(new URL(`../../contracts/${name}`, import.meta.url), 'utf8');
    const source = createHash('sha256').update(read('sweeper.yul').replaceAll('\r\n', '\n')).digest('hex');
    const compiled: unknown = JSON.parse(read('sweeper.json'));
    const code = deploymentCall('0x').slice(64);
    expect(compiled, 'run node scripts/compile-sweeper.mjs').toMatchObject({ source, code });
    const script = fileURLToPath(new URL('../../scripts/compile-sweeper.mjs', import.meta.url));
    expect(spawnSync(process.execPath, [script, '--check']).status).toBe(0);
  });

  it('has the same answer each time, and may offer more for the same nonce', () => {
    const first = place.ask(sweep('a', 0));
    place.reopen();
    expect(place.ask(sweep('a', 0))).toMatchObject({ bytes: 'bytes' in first ? first.bytes : '' });
    const fees = {
      type: 'fee-market',
      maxFeePerGas: 30_000_000_000n,
      maxPriorityFeePerGas: 2_000_000_000n,
    } as const;
    expect(place.ask(sweep('a', 0, { fees }))).toMatchObject({ outcome: 'signed' });
    expect(verifySigningLog(place.logPath)).toMatchObject({ signed: 2, refused: 0 });
    // Where the sweep moved nothing, the address sends the token itself, with the nonce that the authorisation may or
    // may not have spent.
    const own = {
      subject: { kind: 'collection', id: 'c', recipient: wallet } as const,
      to: addressOf(wallet),
    };
    expect(place.ask(evmPayout('c', 0, { ...own, key: deposit }))).toMatchObject({ outcome: 'signed' });
  });
});

const higher = {
  type: 'fee-market',
  maxFeePerGas: 30_000_000_000n,
  maxPriorityFeePerGas: 2_000_000_000n,
} as const;

describe('what nodes refuse', () => {
  const nothing = (change: Partial<EvmTransferIntent> = {}) =>
    sweep('a', 0, { fees: higher, gasLimit: 21_000n, sweeping: { type: 'nothing' }, ...change });

  it('gives its nonce to a transaction that moves nothing', async () => {
    expect(place.ask(sweep('a', 0))).toMatchObject({ outcome: 'signed' });
    place.reopen();
    const sender = privateKeyToAccount(keyAt(`m/44'/60'/${GATEWAY_ACCOUNT}'/1/0`));
    const to: Hex = `0x${addressOf(wallet).slice(2)}`;
    const fees = { maxFeePerGas: higher.maxFeePerGas, maxPriorityFeePerGas: higher.maxPriorityFeePerGas };
    const tx = { type: 'eip1559', to, nonce: 0, chainId: 1, gas: 21_000n, ...fees } as const;
    const bytes = (await sender.signTransaction(tx)).slice(2);
    expect(place.ask(nothing())).toMatchObject({ outcome: 'signed', bytes });
    place.reopen();
    expect(place.ask(nothing())).toMatchObject({ outcome: 'signed', bytes });
    const most = { ...higher, maxFeePerGas: 40_000_000_000n };
    expect(place.ask(nothing({ fees: most }))).toMatchObject({ outcome: 'signed' });
    // The transaction that moves nothing is not replaced by the sweep again.
    expect(place.ask(sweep('a', 0, { fees: { ...most, maxFeePerGas: 50_000_000_000n } }))).toMatchObject({
      reason: 'subject-differs',
    });
  });

  // hits mark: nothing-takes-the-place-of-a-sweep-alone
  it('is a sweep that was signed, and nothing else', () => {
    const refuses = (intent: EvmTransferIntent, reason: string) =>
      expect(place.ask(intent)).toMatchObject({ outcome: 'refused', reason });
    refuses(nothing(), 'subject-differs');
    refuses(nothing({ chainId: 5 }), 'subject-differs');
    refuses(nothing({ key: wallet }), 'key-use');
    const own = {
      subject: { kind: 'collection', id: 'c', recipient: wallet } as const,
      to: addressOf(wallet),
    };
    expect(place.ask(evmPayout('c', 4, { ...own, key: gasKey }))).toMatchObject({ outcome: 'signed' });
    refuses(nothing({ ...own, nonce: 4 }), 'subject-differs');
    expect(place.ask(deployment())).toMatchObject({ outcome: 'signed' });
    refuses(nothing({ subject: { kind: 'funding', id: 'swp', recipient: wallet } }), 'key-use');
    expect(place.ask(sweep('a', 1))).toMatchObject({ outcome: 'signed' });
    refuses(nothing({ nonce: 2 }), 'subject-differs');
    refuses(nothing({ nonce: 1, baseUnits: 1n }), 'subject-differs');
    refuses(nothing({ nonce: 1, to: stranger }), 'destination');
    refuses(nothing({ nonce: 1, fees: sweep('a', 1).fees }), 'fee-not-higher');
    refuses(nothing({ nonce: 1, gasLimit: 10n ** 10n }), 'limit-fee-transaction');
  });
});

describe('what a hostile gateway asks for is refused and logged', () => {
  const refuses = (intent: EvmTransferIntent | Record<string, unknown>, reason: string): void => {
    expect(place.ask(intent)).toMatchObject({ outcome: 'refused', reason });
    const { signed, refused, head } = verifySigningLog(place.logPath);
    expect(head.sequence).toBe(signed + refused + 1);
  };
  const from = (...addresses: readonly SweptAddress[]) => ({
    sweeping: { type: 'sweep', from: addresses } as const,
  });

  // hits mark: no-sweep-but-by-the-policy
  it('on a chain whose policy has no word of it', () => {
    refuses(sweep('a', 0, { chainId: 5 }), 'sweep-off');
    refuses(deployment({ chainId: 5 }), 'sweep-off');
    refuses(sweep('a', 0, { chainId: 0 }), 'chain-unknown');
  });

  // hits mark: only-our-own-addresses-are-swept
  it('an authorisation of another key than it says, for another wallet, or by another sender', () => {
    refuses(sweep('a', 0, from({ ...swept(7), address: stranger })), 'destination');
    refuses(sweep('a', 0, from({ ...swept(7), index: 8 })), 'destination');
    refuses(sweep('a', 0, { to: stranger }), 'destination');
    const other = walletPath(4);
    const subject = { kind: 'collection', id: 'a', recipient: other } as const;
    // The addresses of one app are never swept into the wallet of another.
    refuses(sweep('a', 0, { subject, to: addressOf(other) }), 'destination');
    refuses(sweep('a', 0, { subject: { ...subject, recipient: { ...wallet, index: 1 } } }), 'key-use');
    refuses(
      sweep('a', 0, { subject: { ...subject, recipient: deposit }, to: addressOf(deposit) }),
      'key-use',
    );
    refuses(sweep('a', 0, { subject: { ...subject, recipient: gasKey }, to: addressOf(gasKey) }), 'key-use');
    for (const key of [wallet, deposit, { ...gasKey, index: 1 }]) refuses(sweep('a', 0, { key }), 'key-use');
    for (const kind of ['payout', 'cold'] as const)
      refuses(sweep('a', 0, { subject: { kind, id: 'a', approval: null } }), 'key-use');
    refuses(sweep('a', 0, { subject: { kind: 'funding', id: 'a', recipient: wallet } }), 'key-use');
    refuses(deployment({ subject: { kind: 'collection', id: 'a', recipient: wallet } }), 'key-use');
  });

  // hits mark: a-nonce-is-authorised-once
  it('a nonce twice: for two sweeps, or of a transfer that is signed', () => {
    const own = {
      subject: { kind: 'collection', id: 'c', recipient: wallet } as const,
      to: addressOf(wallet),
    };
    expect(place.ask(evmPayout('c', 4, { ...own, key: deposit }))).toMatchObject({ outcome: 'signed' });
    refuses(sweep('b', 1, from(swept(7, 4))), 'nonce-taken');
    expect(place.ask(sweep('a', 0))).toMatchObject({ outcome: 'signed' });
    place.reopen();
    refuses(sweep('b', 1, from(swept(7))), 'nonce-taken');
    refuses(sweep('b', 1, from(swept(6), swept(8, 3))), 'nonce-taken');
    refuses(sweep('b', 0, from(swept(7, 1))), 'nonce-taken');
    expect(place.ask(sweep('b', 1, from(swept(7, 1), swept(8, null))))).toMatchObject({ outcome: 'signed' });
    // A signed sweep keeps each of its addresses and nonces.
    for (const changed of [
      from(swept(7)),
      from(swept(7), swept(8, 3)),
      from(swept(7), swept(8, 3), swept(9, 0)),
    ])
      refuses(sweep('a', 0, changed), 'subject-differs');
  });

  it('other assets, no amount, no base fee, fees above their limit, and what is written otherwise', () => {
    refuses(sweep('a', 0, { contract: `0x${'66'.repeat(20)}` }), 'asset-unknown');
    refuses(sweep('a', 0, { contract: null }), 'malformed');
    refuses(sweep('a', 0, { baseUnits: 0n }), 'malformed');
    refuses(sweep('a', 0, { fees: { type: 'legacy', gasPrice: 1n } }), 'malformed');
    refuses(sweep('a', 0, { gasLimit: 10n ** 10n }), 'limit-fee-transaction');
    refuses(deployment({ baseUnits: 1n }), 'malformed');
    refuses(deployment({ contract: usdt }), 'malformed');
    const record = structuredClone(intentRecord(sweep('a', 0)));
    const one = { index: 7, address: swept(7).address, nonce: 0 };
    for (const sweeping of [
      { type: 'sweep', from: [] },
      { type: 'sweep', from: [one, one] },
      { type: 'sweep', from: [{ ...one, index: 8 }, one] },
      { type: 'sweep', from: [one], sweeper: stranger },
      { type: 'sweep', from: Array.from({ length: 101 }, (_, index) => ({ ...one, index })) },
      { type: 'sweep', from: [{ ...one, nonce: -1 }] },
      { type: 'deploy', code: '0x00' },
      { type: 'clear' },
      { type: 'nothing', to: stranger },
      null,
    ])
      refuses({ ...record, sweeping }, 'malformed');
  });
});
