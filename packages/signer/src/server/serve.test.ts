// Tests of the server on a real local socket, with friendly and hostile peers.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mnemonicToSeed } from '../keystore/mnemonic.ts';
import type { LogEntry } from '../log.ts';
import { readPermissions } from '../permissions.ts';
import { type RunningSigner, serve, type ServeOptions } from './serve.ts';
import { groupAccess, groupIdOf } from './socket-access.ts';
import { exchange, scratchPlace } from '../testing/raw-client.ts';

const posix = process.platform !== 'win32';
const token = 'k'.repeat(43);
const words = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const permissions = readPermissions(
  JSON.stringify({
    clients: [
      {
        name: 'gateway',
        tokenSha256: createHash('sha256').update(token).digest('hex'),
        methods: ['account-public-key'],
      },
    ],
  }),
);

let place: Awaited<ReturnType<typeof scratchPlace>>;
let entries: LogEntry[];
let running: RunningSigner[];

beforeEach(async () => {
  place = await scratchPlace();
  entries = [];
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((signer) => signer.close()));
  await place.remove();
});

async function start(options: Partial<ServeOptions> = {}): Promise<Uint8Array> {
  const seed = mnemonicToSeed(words);
  const log = (entry: LogEntry) => entries.push(entry);
  const { socketPath } = place;
  const common = { socketPath, seed, keyId: '0011223344556677', permissions, signing: null, log };
  running.push(await serve({ ...common, ...options }));
  return seed;
}

function request(change: Readonly<Record<string, unknown>> = {}): string {
  const params = { family: 'evm', account: 3 };
  return `${JSON.stringify({ id: 'q1', client: 'gateway', token, method: 'account-public-key', params, ...change })}\n`;
}

function errorCodes(lines: readonly string[]): unknown[] {
  return lines.map((line) => JSON.parse(line).error?.code ?? 'ok');
}

describe('the server', () => {
  it('answers a permitted client with the key, its path and the key id, and logs one entry', async () => {
    await start();
    const { lines } = await exchange(place.socketPath, request(), 1);
    expect(JSON.parse(lines[0]!)).toEqual({
      id: 'q1',
      result: {
        xpub: expect.stringMatching(/^xpub[1-9A-HJ-NP-Za-km-z]{107}$/),
        family: 'evm',
        account: 3,
        path: "m/44'/60'/3'",
        keyId: '0011223344556677',
      },
    });
    expect(entries).toEqual([
      {
        event: 'request',
        client: 'gateway',
        method: 'account-public-key',
        outcome: 'ok',
        durationMs: expect.any(Number),
      },
    ]);
  });

  it('answers many lines of one connection in order, however they are cut', async () => {
    await start();
    const text = Array.from({ length: 20 }, (_, n) => request({ id: `q${n}` })).join('');
    const { lines } = await exchange(place.socketPath, text, 20);
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(Array.from({ length: 20 }, (_, n) => `q${n}`));
  });

  it('gives an unknown client and a wrong token the same bytes, and ends the connection', async () => {
    await start();
    const unknown = await exchange(place.socketPath, request({ client: 'stranger' }), 9);
    const wrong = await exchange(place.socketPath, request({ token: 'w'.repeat(43) }), 9);
    expect(unknown).toEqual(wrong);
    expect(unknown.closed).toBe(true);
    expect(errorCodes(unknown.lines)).toEqual(['unauthorized']);
  });

  it('shows a stranger nothing about which methods exist', async () => {
    await start();
    const { lines } = await exchange(place.socketPath, request({ client: 'stranger', method: 'sign' }), 9);
    expect(errorCodes(lines)).toEqual(['unauthorized']);
  });

  it('refuses unknown methods and bad params and goes on with the next line', async () => {
    await start();
    const bad = [
      request({ method: 'sign' }),
      request({ method: 'health' }),
      request({ params: { family: 'evm', account: -1 } }),
      request({ params: { family: 'evm', account: 0, private: true } }),
      request({ params: 'm/44' }),
    ];
    const { lines } = await exchange(place.socketPath, bad.join('') + request(), 6);
    const codes = ['unknown-method', 'unknown-method', 'bad-request', 'bad-request', 'bad-request', 'ok'];
    expect(errorCodes(lines)).toEqual(codes);
  });

  it.each([
    ['a line that is not JSON', 'hello\n'],
    ['an HTTP request', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['random bytes', Buffer.from([0, 255, 254, 10])],
    ['an unknown field', request({ admin: true })],
    ['a huge line with an end', `${'x'.repeat(70_000)}\n`],
    ['a huge line without an end', 'x'.repeat(70_000)],
    ['a million opening brackets', '['.repeat(1_000_000)],
  ])('ends the connection after %s, and serves the next peer', async (_what, bytes) => {
    await start();
    const hostile = await exchange(place.socketPath, bytes, 9);
    expect(hostile.closed).toBe(true);
    expect(errorCodes(hostile.lines)).toEqual(['bad-request']);
    expect(errorCodes((await exchange(place.socketPath, request(), 1)).lines)).toEqual(['ok']);
  });

  it('logs neither what strangers send nor tokens', async () => {
    await start();
    await exchange(place.socketPath, request({ client: 'canary-client', method: 'canary-method' }), 9);
    await exchange(place.socketPath, request({ method: 'canary-method', id: 'canary-id' }), 1);
    await exchange(place.socketPath, 'canary line\n', 9);
    const text = JSON.stringify(entries);
    expect(entries).toHaveLength(3);
    expect(text).not.toContain('canary');
    expect(text).not.toContain(token);
  });

  it('turns away connections over the bound and takes new ones when a place is free', async () => {
    await start({ maxConnections: 2 });
    const held = await Promise.all([dial(), dial()]);
    const refused = await exchange(place.socketPath, request(), 1);
    expect(refused).toEqual({ lines: [], closed: true });
    expect(entries).toContainEqual({ event: 'connection-refused', outcome: 'too-many' });
    held[0].destroy();
    await expect
      .poll(async () => errorCodes((await exchange(place.socketPath, request(), 1)).lines), { timeout: 5000 })
      .toEqual(['ok']);
    held[1].destroy();
  });

  it('closes a connection that completes no request, even if it keeps dripping bytes', async () => {
    await start({ idleTimeoutMs: 100 });
    const silent = await dial();
    const dripping = await dial();
    const drip = setInterval(() => dripping.write('x'), 10);
    await Promise.all([ended(silent), ended(dripping)]);
    clearInterval(drip);
    expect([silent.destroyed, dripping.destroyed]).toEqual([true, true]);
  });

  it('ends open connections and wipes the seed when it stops', async () => {
    const seed = await start();
    const peer = await dial();
    const closed = ended(peer);
    await running.pop()!.close();
    await closed;
    expect(seed.every((byte) => byte === 0)).toBe(true);
    expect(await refusesConnections()).toBe(true);
  });
});

describe('the place of the socket', () => {
  it.skipIf(!posix)('is private: 0600 in a folder of 0700', async () => {
    const socketPath = `${place.folder}/run/s.sock`;
    await start({ socketPath });
    expect((await stat(socketPath)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(socketPath))).mode & 0o777).toBe(0o700);
  });

  it.skipIf(!posix)('is refused when other users can enter the folder', async () => {
    await mkdir(`${place.folder}/open`);
    await chmod(`${place.folder}/open`, 0o755);
    const socketPath = `${place.folder}/open/s.sock`;
    await expect(start({ socketPath })).rejects.toMatchObject({
      code: 'socket-path',
      message: expect.stringContaining('chmod 700'),
    });
  });

  it.skipIf(!posix)('is refused when the folder opens more than a group may have', async () => {
    for (const mode of [0o730, 0o750, 0o711]) {
      await chmod(place.folder, mode);
      await expect(start({ access: groupAccess(process.getgid?.() ?? 0) })).rejects.toMatchObject({
        code: 'socket-path',
        message: expect.stringContaining('chmod 710'),
      });
    }
  });

  it.skipIf(process.getuid?.() !== 0)('serves another user in the group, and none outside it', async () => {
    const group = 54_321;
    await start({ access: groupAccess(group) });
    const dial = (gid: number) => {
      const script = `require('node:net').connect(process.argv[1]).on('connect', () => process.exit(0)).on('error', () => process.exit(3))`;
      const child = spawn(process.execPath, ['-e', script, place.socketPath], { uid: 65_534, gid, cwd: '/' });
      return once(child, 'exit').then(([code]) => code);
    };
    expect([await dial(group), await dial(65_534)]).toEqual([0, 3]);
  });

  it.skipIf(!posix)('is refused when something else lies there or the path is too long', async () => {
    const socketPath = `${place.folder}/file`;
    await writeFile(socketPath, 'mine');
    await expect(start({ socketPath })).rejects.toMatchObject({ code: 'socket-path' });
    await expect(start({ socketPath: `/tmp/${'x'.repeat(200)}` })).rejects.toMatchObject({
      code: 'socket-path',
    });
  });

  it('is refused while a live signer answers there, which goes on undisturbed', async () => {
    await start();
    await expect(start()).rejects.toMatchObject({ code: 'socket-busy' });
    expect(errorCodes((await exchange(place.socketPath, request(), 1)).lines)).toEqual(['ok']);
  });

  it.skipIf(!posix)('is taken over from a dead predecessor', async () => {
    await leaveDeadSocket(place.socketPath);
    expect((await stat(place.socketPath)).isSocket()).toBe(true);
    await start();
    expect(errorCodes((await exchange(place.socketPath, request(), 1)).lines)).toEqual(['ok']);
  });
});

describe.skipIf(!posix)('the group of the socket', () => {
  it('is a number, or a name that the system knows', async () => {
    expect(await groupIdOf('990')).toBe(990);
    const [name = '', , id] =
      /^([a-z_][^:]*):([^:]*):(\d+):/m.exec(await readFile('/etc/group', 'utf8'))?.slice(1) ?? [];
    expect(String(await groupIdOf(name))).toBe(id);
  });

  it.each(['', 'no-such-group-here', '-1', '4294967295'])('is not %j', async (group) => {
    await expect(groupIdOf(group)).rejects.toMatchObject({ code: 'socket-group' });
  });
});

async function dial(): Promise<Socket> {
  const socket = connect(place.socketPath);
  socket.on('error', () => undefined);
  socket.resume();
  await once(socket, 'connect');
  return socket;
}

/** Resolves when the connection is over, in peace or by a reset: writing to a peer that hung up ends in one. */
function ended(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.on('close', () => resolve()));
}

async function refusesConnections(): Promise<boolean> {
  const socket = connect(place.socketPath);
  return new Promise((resolve) => {
    socket.on('connect', () => resolve(false));
    socket.on('error', () => resolve(true));
  });
}

/** A socket file whose listener is gone, as kill -9 leaves it: the listener is moved away before it cleans up. */
async function leaveDeadSocket(path: string): Promise<void> {
  const server = createServer();
  server.listen(`${path}.tmp`);
  await once(server, 'listening');
  await link(`${path}.tmp`, path);
  server.close();
  await once(server, 'close');
  await rm(`${path}.tmp`, { force: true });
}
