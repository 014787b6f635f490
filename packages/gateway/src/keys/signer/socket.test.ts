// Tests of the signer port against a local socket that answers rightly, wrongly, slowly or not at all.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HARDENED_OFFSET, HDKey } from '@scure/bip32';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Outage } from '../../runtime/outage.ts';
import type { SignerSocketOptions } from './ask-signer.ts';
import { connectSigner } from './socket.ts';

const token = 't'.repeat(43);
const account = HDKey.fromMasterSeed(Buffer.alloc(64, 7)).derive("m/44'/60'/3'");
const xpub = account.publicExtendedKey;
const result = { xpub, family: 'evm', account: 3, path: "m/44'/60'/3'", keyId: '0011223344556677' };

let folder: string;
let socketPath: string;
let stop: Array<() => Promise<void>>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ducat-port-'));
  const pipe = `\\\\.\\pipe\\ducat-port-${randomBytes(8).toString('hex')}`;
  socketPath = process.platform === 'win32' ? pipe : join(folder, 's.sock');
  stop = [];
});
afterEach(async () => {
  for (const close of stop) await close();
  await rm(folder, { recursive: true, force: true });
});

/** A signer that does one thing with each request line; gives back the lines it got. */
async function pretend(answer: (socket: Socket, line: string) => void): Promise<string[]> {
  const lines: string[] = [];
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.setEncoding('utf8');
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      lines.push(String(chunk));
      answer(socket, String(chunk));
    });
  });
  server.listen(socketPath);
  await once(server, 'listening');
  stop.push(async () => {
    for (const socket of open) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return lines;
}

type Trust = Pick<SignerSocketOptions, 'uid' | 'keyId'>;

function ask(timeoutMs = 5000, trust: Trust = {}): Promise<string> {
  return connectSigner({ socketPath, client: 'gateway', token, timeoutMs, ...trust }).accountPublicKey(
    'evm',
    3,
  );
}

function reply(value: unknown): (socket: Socket) => void {
  return (socket) => socket.write(`${JSON.stringify(value)}\n`);
}

async function outageOf(promise: Promise<unknown>): Promise<Outage> {
  const caught = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(caught).toBeInstanceOf(Outage);
  return caught as Outage;
}

describe('connectSigner', () => {
  it('sends one compact line in the field order of the protocol and gives the key', async () => {
    const lines = await pretend(reply({ id: '1', result }));
    expect(await ask()).toBe(xpub);
    expect(lines).toEqual([
      `{"id":"1","client":"gateway","token":"${token}","method":"account-public-key","params":{"family":"evm","account":3}}\n`,
    ]);
  });

  it('takes an answer that comes in drops', async () => {
    await pretend((socket) => {
      for (const char of `${JSON.stringify({ id: '1', result })}\n`) socket.write(char);
    });
    expect(await ask()).toBe(xpub);
  });

  it.each([
    ['text that is not JSON', 'hello\n'],
    ['a list', '[]\n'],
    ['another id', `${JSON.stringify({ id: '2', result })}\n`],
    ['no result', `${JSON.stringify({ id: '1' })}\n`],
    ['another family', `${JSON.stringify({ id: '1', result: { ...result, family: 'tron' } })}\n`],
    ['no key id', `${JSON.stringify({ id: '1', result: { ...result, keyId: undefined } })}\n`],
    ['another account', `${JSON.stringify({ id: '1', result: { ...result, account: 4 } })}\n`],
    ['the key of another account', withKey(HDKey.fromMasterSeed(Buffer.alloc(64, 7)).derive("m/44'/60'/4'"))],
    ['a key of another depth', withKey(account.deriveChild(3 + HARDENED_OFFSET))],
    [
      'a private key',
      `${JSON.stringify({ id: '1', result: { ...result, xpub: account.privateExtendedKey } })}\n`,
    ],
    [
      'a key with a wrong checksum',
      `${JSON.stringify({ id: '1', result: { ...result, xpub: `${xpub.slice(0, -1)}1` } })}\n`,
    ],
    ['an endless line', 'x'.repeat(100_000)],
  ])('takes %s for an Outage that asking again does not help', async (_what, text) => {
    await pretend((socket) => socket.write(text));
    expect((await outageOf(ask())).retryable).toBe(false);
  });

  it.each([
    ['unauthorized', false],
    ['forbidden', false],
    ['unknown-method', false],
    ['bad-request', false],
    ['internal', true],
  ])('turns the refusal %s into an Outage with retryable %s', async (code, retryable) => {
    await pretend(reply({ id: '1', error: { code, message: 'm' } }));
    const outage = await outageOf(ask());
    expect(outage.message).toBe(`the signer refused account-public-key: ${code}`);
    expect(outage.retryable).toBe(retryable);
  });

  it('takes the key of the pinned seed alone', async () => {
    await pretend(reply({ id: '1', result }));
    expect(await ask(5000, { keyId: result.keyId })).toBe(xpub);
    const outage = await outageOf(ask(5000, { keyId: 'ffffffffffffffff' }));
    expect(outage.retryable).toBe(false);
    expect(outage.message).toBe(
      'the signer holds another seed: its key id is 0011223344556677, and signer.key_id says ffffffffffffffff',
    );
  });

  it.skipIf(process.platform === 'win32').each([0o770, 0o707, 0o1777])(
    'says no word to a socket in a folder of mode %o, into which others can put one',
    async (mode) => {
      const lines = await pretend(reply({ id: '1', result }));
      await chmod(folder, mode);
      const outage = await outageOf(ask());
      expect(outage.message).toContain(`run: chmod go-w ${folder}`);
      expect(outage.retryable).toBe(false);
      expect(lines).toEqual([]);
    },
  );

  it.skipIf(process.getuid?.() !== 0)(
    'says no word in the folder of a user that it does not know',
    async () => {
      const lines = await pretend(reply({ id: '1', result }));
      await chown(folder, 54_321, 54_321);
      expect((await outageOf(ask(5000, { uid: 54_322 }))).message).toContain('belongs to user 54321');
      expect(lines).toEqual([]);
      expect(await ask(5000, { uid: 54_321 })).toBe(xpub);
    },
  );

  it('takes a missing signer for an Outage that may pass', async () => {
    expect((await outageOf(ask())).retryable).toBe(true);
  });

  it('takes a connection that ends without an answer for an Outage that may pass', async () => {
    await pretend((socket) => socket.end('{"id":'));
    expect((await outageOf(ask())).retryable).toBe(true);
  });

  it('gives up at its time limit, even while bytes keep dripping', async () => {
    await pretend((socket) => {
      const drip = setInterval(() => socket.write(' '), 10);
      socket.on('close', () => clearInterval(drip));
    });
    const outage = await outageOf(ask(150));
    expect(outage.retryable).toBe(true);
    expect(outage.message).not.toContain(token);
  });
});

function withKey(key: HDKey): string {
  return `${JSON.stringify({ id: '1', result: { ...result, xpub: key.publicExtendedKey } })}\n`;
}
