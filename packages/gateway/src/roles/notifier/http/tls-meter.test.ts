// Shows on real loopback connections that no receiver can keep TLS busy with what carries no content.
import { createCipheriv, createHmac } from 'node:crypto';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { createSecureContext, createServer, type TLSSocket } from 'node:tls';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { afterEach, describe, expect, it } from 'vitest';
import { AnswerStream } from './answer-stream.ts';
import { MAX_TICKETS, openTls } from './open-tls.ts';
import { createPoster } from './post.ts';
import { parseAllowList } from './routable-address.ts';
import { MAX_OVERHEAD_BYTES, TlsFlood } from './tls-meter.ts';

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** A key that both ends know stands for the certificate: nothing of what is shown here depends on it. */
const shared = { psk: Buffer.alloc(32, 7), identity: 'shop' };
const ciphers = 'TLS_AES_128_GCM_SHA256:PSK';

/** Both ends of a connection over TLS 1.3, and the first secret with which the receiver seals. */
async function connected() {
  let secret = Buffer.of();
  let accept: (socket: TLSSocket) => void = () => undefined;
  const accepted = new Promise<TLSSocket>((resolve) => {
    accept = resolve;
  });
  const server = createServer({ ciphers, minVersion: 'TLSv1.3', pskCallback: () => shared.psk }, accept);
  server.on('keylog', (line) => {
    const [label, , hex] = line.toString().trim().split(' ');
    if (label === 'SERVER_TRAFFIC_SECRET_0') secret = Buffer.from(hex ?? '', 'hex');
  });
  const raw = new Promise<Socket>((resolve) => void server.once('connection', resolve));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server that listens has an address of this kind.
  const { port } = server.address() as AddressInfo;
  let tickets = 0;
  const keys = {
    secureContext: createSecureContext({ ciphers }),
    pskCallback: () => shared,
    checkServerIdentity: () => undefined,
    onTicket: () => void (tickets += 1),
  };
  const network = connect(port, '127.0.0.1');
  await new Promise<void>((resolve) => void network.once('connect', resolve));
  const { tls: sender, beneath } = openTls(network, '127.0.0.1', keys);
  const errors: Error[] = [];
  sender.on('error', (error) => errors.push(error));
  let got = 0;
  sender.on('data', (bytes: Buffer) => void (got += bytes.length));
  const receiver = await accepted;
  receiver.on('error', () => undefined);
  open.push(() => {
    sender.destroy();
    receiver.destroy();
    server.close();
  });
  // Now its tickets are sent, and it will seal nothing more by itself.
  receiver.write('x');
  await waitUntil('the first byte', () => got === 1);
  return {
    sender,
    beneath,
    receiver,
    raw: await raw,
    secret: () => secret,
    tickets: () => tickets,
    errors,
    got: () => got,
  };
}

function expand(secret: Buffer, label: string, length: number): Buffer {
  const name = Buffer.from(`tls13 ${label}`);
  const info = Buffer.of(0, length, name.length, ...name, 0, 1);
  return createHmac('sha256', secret).update(info).digest().subarray(0, length);
}

/** One record of a handshake message that announces the next key, and asks for one in return or not. */
function keyUpdate(secret: Buffer, sequence: number, inReturn = 0): Buffer {
  const nonce = expand(secret, 'iv', 12);
  nonce.writeBigUInt64BE(nonce.readBigUInt64BE(4) ^ BigInt(sequence), 4);
  const head = Buffer.of(0x17, 3, 3, 0, 22);
  const cipher = createCipheriv('aes-128-gcm', expand(secret, 'key', 16), nonce).setAAD(head);
  return Buffer.concat([
    head,
    cipher.update(Buffer.of(24, 0, 0, 1, inReturn, 22)),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

/** More than twice too many of them; the first has this place among the records that its receiver seals. */
function keyUpdates(first: Buffer, sequence: number): Buffer {
  const records: Buffer[] = [];
  let secret = first;
  for (let i = 0; i < 3_000; i++) {
    records.push(keyUpdate(secret, i === 0 ? sequence : 0));
    secret = expand(secret, 'traffic upd', 32);
  }
  return Buffer.concat(records);
}

/** Sends so many bytes, each in a record of its own: those written in one turn would share one. */
async function drip(receiver: TLSSocket, bytes: number): Promise<void> {
  for (let i = 0; i < bytes && !receiver.destroyed; i++) {
    await new Promise((resolve) => receiver.write('x', resolve));
  }
}

describe('a connection over TLS', () => {
  it('is ended when its receiver changes keys without an end', async () => {
    const { sender, raw, secret, tickets, errors } = await connected();
    const flood = keyUpdates(secret(), tickets() + 1);
    raw.write(flood);
    // One that passes comes after all of them.
    raw.end();
    await waitUntil('its end', () => sender.destroyed);
    expect(errors).toEqual([expect.any(TlsFlood)]);
    expect(flood.length).toBeGreaterThan(2 * MAX_OVERHEAD_BYTES);
  });

  it('is ended when each byte comes in a record of its own, and not by as many in one', async () => {
    const { sender, receiver, errors, got } = await connected();
    const many = 10 * MAX_OVERHEAD_BYTES;
    receiver.write(Buffer.alloc(many));
    await waitUntil('all of them', () => got() === many + 1);
    await drip(receiver, 3_000);
    await waitUntil('its error', () => errors.length > 0);
    expect(errors[0]).toBeInstanceOf(TlsFlood);
    expect(sender.destroyed).toBe(true);
    expect(got()).toBeLessThan(many + 1 + 2_000);
  });

  it('may carry as much again for each webhook', async () => {
    const { beneath, receiver, errors, got } = await connected();
    for (let webhook = 1; webhook <= 4; webhook++) {
      beneath.begin();
      await drip(receiver, 1_000);
      await waitUntil('all of it', () => got() === 1 + webhook * 1_000);
    }
    expect(errors).toEqual([]);
  });

  it('is over at once when its client would end it in peace, and nothing of its receiver is read after that', async () => {
    const { sender, beneath, raw, secret, tickets, errors } = await connected();
    new AnswerStream(sender, beneath).end();
    await waitUntil('its end', () => sender.destroyed && beneath.destroyed);
    raw.write(keyUpdate(secret(), tickets() + 1, 1));
    await waitUntil('the end at the other side', () => raw.destroyed);
    expect(errors).toEqual([]);
  });

  it('is ended when tickets come without an end', async () => {
    const { sender, tickets } = await connected();
    for (let i = tickets(); i < MAX_TICKETS; i++) sender.emit('session', Buffer.of());
    expect(sender.destroyed).toBe(false);
    sender.emit('session', Buffer.of());
    expect(sender.destroyed).toBe(true);
  });

  it('shows a poster where it leads to and why it fails, as any other', async () => {
    const received: Buffer[] = [];
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (bytes) => {
        received.push(bytes);
        socket.destroy();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // A TCP server that listens has an address of this kind.
    const { port } = server.address() as AddressInfo;
    const resolve = () => Promise.resolve(['::1', '127.0.0.1']);
    const poster = createPoster({ resolve, allowed: parseAllowList(['127.0.0.0/8', '::1/128']) });
    open.push(() => poster.close());
    const webhook = { url: `https://shop.test:${port}/`, headers: {}, body: '{}', timeoutMs: 5_000 };
    // It went on to the second address, and that passed the check.
    expect(await poster.post(webhook)).toEqual({ outcome: 'tls-failed', httpStatus: null });
    expect(received.length).toBe(1);
    await new Promise((done) => server.close(done));
    expect(await poster.post(webhook)).toEqual({ outcome: 'connection-failed', httpStatus: null });
  });
});
