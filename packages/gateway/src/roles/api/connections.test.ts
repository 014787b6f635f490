// Connections over real sockets: cut after the last word, and given up for a new client.
import { connect, type Socket } from 'node:net';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { listenOnAnyPort, rawRequest } from '@ducat/testkit/api/raw-request';
import { startTestApi, type TestApi } from '@ducat/testkit/api/test-api';
import { defaultApiLimits } from './api-deps.ts';

const open: TestApi[] = [];

afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function another(change: Parameters<typeof startTestApi>[1]): Promise<TestApi> {
  const started = await startTestApi(inject('postgresAdminUrl'), change);
  open.push(started);
  return started;
}

describe('connections', () => {
  /** A connection whose own half stays open whatever the server does; a reader of it sees the server's end. */
  function connectHalfOpen(port: number): Socket {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined).resume();
    return socket;
  }

  const connectionsOf = ({ app }: TestApi) =>
    new Promise<number>((done) => void app.server.getConnections((_error, count) => done(count)));

  it('that were asked to go are cut soon, although the other side keeps its half open', async () => {
    const held = await another({});
    const port = await listenOnAnyPort(held.app);
    const socket = connectHalfOpen(port);
    const askedToGo = new Promise((done) => void socket.once('end', done));
    socket.write('NONSENSE\r\n\r\n');
    await askedToGo;
    await waitUntil('the connection to be cut', async () => (await connectionsOf(held)) === 0);
    expect(socket.writable).toBe(true);
    socket.destroy();
  });

  it('of one network address are limited: a quiet one goes for a new one', async () => {
    const few = await another({ limits: { ...defaultApiLimits, maxConnectionsPerAddress: 2 } });
    const port = await listenOnAnyPort(few.app);
    const held = [connectHalfOpen(port), connectHalfOpen(port)];
    await waitUntil('both connections', async () => (await connectionsOf(few)) === 2);
    for (let n = 0; n < 3; n++) {
      const ask = ['GET /healthz HTTP/1.1', 'host: x', 'connection: close'];
      expect(await rawRequest(port, ask, [])).toMatch(/^HTTP\/1\.1 200 /);
    }
    for (const socket of held) socket.destroy();
  });

  it('are not counted by address where a proxy holds those of everybody', async () => {
    const limits = { ...defaultApiLimits, maxConnectionsPerAddress: 1, trustedProxies: ['127.0.0.1'] };
    const behind = await another({ limits });
    const port = await listenOnAnyPort(behind.app);
    const held = connectHalfOpen(port);
    await waitUntil('the connection', async () => (await connectionsOf(behind)) === 1);
    const head = ['GET /healthz HTTP/1.1', 'host: x', 'connection: close'];
    expect(await rawRequest(port, head, [])).toMatch(/^HTTP\/1\.1 200 /);
    held.destroy();
  });
});
