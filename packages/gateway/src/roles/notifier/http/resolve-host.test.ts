// Shows on a name server of its own how long a name is waited for.
import { createSocket } from 'node:dgram';
import { afterEach, describe, expect, it } from 'vitest';
import { realWorld } from '../../../runtime/world.ts';
import { createResolveHost } from './resolve-host.ts';

const A = 1;
const AAAA = 28;
const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** A name server on loopback that knows one address of each kind it was given, and is silent about other kinds. */
async function nameServer(known: ReadonlyMap<number, Buffer>): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (question, { port, address }) => {
    const kind = question.readUInt16BE(question.indexOf(0, 12) + 1);
    const data = known.get(kind);
    if (data !== undefined) socket.send(answerTo(question, kind, data), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  open.push(() => socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

/** One answer of this kind to the one question, by RFC 1035. */
function answerTo(question: Buffer, kind: number, data: Buffer): Buffer {
  const asked = question.subarray(12, question.indexOf(0, 12) + 5);
  const head = Buffer.concat([question.subarray(0, 2), Buffer.from('81800001000100000000', 'hex')]);
  const record = Buffer.from('c00c00000001000000000000', 'hex');
  record.writeUInt16BE(kind, 2);
  record.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, asked, record, data]);
}

const IPV4 = Buffer.of(192, 0, 2, 7);
const IPV6 = Buffer.from('20010db8000000000000000000000007', 'hex');

describe('a name', () => {
  it('has the addresses of both kinds, IPv4 first', async () => {
    const server = await nameServer(new Map([[AAAA, IPV6]]).set(A, IPV4));
    const resolve = createResolveHost(realWorld, [server]);
    expect(await resolve('shop.example')).toEqual(['192.0.2.7', '2001:db8::7']);
  });

  it.each([
    ['IPv6', A, IPV4, '192.0.2.7'],
    ['IPv4', AAAA, IPV6, '2001:db8::7'],
  ])('is found a second later when nobody answers for %s', async (_name, kind, data, address) => {
    const asked: number[] = [];
    const world = {
      sleep: (ms: number) => {
        asked.push(ms);
        return Promise.resolve();
      },
    };
    const resolve = createResolveHost(world, [await nameServer(new Map([[kind, data]]))]);
    expect(await resolve('shop.example')).toEqual([address]);
    expect(asked).toEqual([1_000]);
  });

  it('without a dot is the machine’s or a neighbour’s, and no name server is asked', async () => {
    const addresses = await createResolveHost(realWorld, ['127.0.0.1:9'])('localhost');
    expect(addresses.length).toBeGreaterThan(0);
    expect(addresses.filter((address) => address !== '127.0.0.1' && address !== '::1')).toEqual([]);
  });
});
