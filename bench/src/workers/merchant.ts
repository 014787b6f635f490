// A merchant under load: signed calls of the API over kept connections, each answer checked.
import { createHmac } from 'node:crypto';
import { endpoints } from '@ducat/contract/endpoints/registry';
import { type Driven, drive } from '../drive.ts';
import { KeptConnection, postText } from '../kept-connection.ts';
import { serveParent } from '../worker.ts';

interface Access {
  readonly apiUrl: string;
  readonly appId: string;
  readonly appKey: string;
  readonly connections: number;
}

let access: Access | null = null;
let connections: KeptConnection[] = [];
let orders = 0;
/** One of so many signatures is checked, because a client that checked each one would measure itself. */
const CHECK_EVERY = 64;
let answers = 0;
/** Goes on from one measure to the next, so that a list longer than the api's memory never meets a remembered order. */
let shown = 0;

const handlers = {
  async connect(to: Access): Promise<void> {
    for (const connection of connections) connection.close();
    connections = [];
    access = to;
    await openConnections();
  },
  /** Fiat-priced orders for so many seconds. */
  async create({ seconds, currencyId }: { seconds: number; currencyId: number }): Promise<Driven> {
    await openConnections();
    return drive(connections.length, seconds, async (slot) => {
      await createOrder(slot, currencyId);
    });
  },
  /** Creates so many orders. Returns the address and number of each. */
  async open({ count, currencyId }: { count: number; currencyId: number }): Promise<readonly Opened[]> {
    await openConnections();
    const opened: Opened[] = [];
    await Promise.all(
      connections.map(async (_, slot, { length }) => {
        while (opened.length + length <= count + slot) opened.push(await createOrder(slot, currencyId));
      }),
    );
    return opened;
  },
  /** Asks for one order so many times at once, on as many connections. Returns the milliseconds until the last answer. */
  async identical({ count, currencyId }: { count: number; currencyId: number }): Promise<number> {
    if (access === null) throw new Error('the merchant is not connected');
    const { connections: usual } = access;
    access = { ...access, connections: count };
    await openConnections();
    orders += 1;
    const started = performance.now();
    const answers = await Promise.all(connections.map((_, slot) => askFor(slot, orders, currencyId)));
    const ms = performance.now() - started;
    access = { ...access, connections: usual };
    for (const connection of connections.splice(usual)) connection.close();
    if (new Set(answers.map(({ trade_no }) => trade_no)).size !== 1)
      throw new Error('one order became several');
    return ms;
  },
  async detail({ seconds, tradeNos }: { seconds: number; tradeNos: readonly string[] }): Promise<Driven> {
    await openConnections();
    return drive(connections.length, seconds, async (slot) => {
      shown += 1;
      await call(slot, 'order-detail', { trade_no: tradeNos[shown % tradeNos.length] });
    });
  },
};

export type Merchant = typeof handlers;

export interface Opened {
  readonly tradeNo: string;
  readonly address: string;
}

/** Opens the configured number of connections. Connections that the server closed while idle are replaced. */
async function openConnections(): Promise<void> {
  if (access === null) throw new Error('the merchant is not connected');
  const port = Number(new URL(access.apiUrl).port);
  const open = connections.filter((connection) => connection.isOpen);
  const missing = Array.from({ length: access.connections - open.length }, () => KeptConnection.open(port));
  connections = [...open, ...(await Promise.all(missing))];
}

async function createOrder(slot: number, currencyId: number): Promise<Opened> {
  orders += 1;
  const body = await askFor(slot, orders, currencyId);
  return { tradeNo: body.trade_no, address: body.pay_address };
}

function askFor(slot: number, number: number, currencyId: number): Promise<Answer> {
  return call(slot, 'create-order', {
    out_trade_no: `bench-${process.pid}-${number}`,
    currency_id: currencyId,
    fiat_name: 'EUR',
    fiat_amount: '9.99',
  });
}

interface Answer {
  readonly trade_no: string;
  readonly pay_address: string;
}

async function call(slot: number, name: 'create-order' | 'order-detail', body: object): Promise<Answer> {
  const connection = connections[slot];
  if (access === null || connection === undefined) throw new Error('the merchant is not connected');
  const text = JSON.stringify(body);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const headers = {
    'content-type': 'application/json',
    'X-Appid': access.appId,
    'X-Timestamp': timestamp,
    'X-Sign': signatureOf(text, timestamp, access.appKey),
  };
  const { status, head, body: raw } = await connection.send(postText(endpoints[name].path, headers, text));
  const answer = raw.toString('utf8');
  const parsed = JSON.parse(answer);
  if (status !== 200 || parsed.code !== 0) throw new Error(`${name}: ${status} ${answer}`);
  answers += 1;
  if (answers % CHECK_EVERY === 0) checkSignature(head, answer, access.appKey);
  return parsed.data;
}

function checkSignature(head: string, body: string, appKey: string): void {
  const valueOf = (name: string) => new RegExp(`\r\n${name}: *([^\r]*)`, 'i').exec(head)?.[1] ?? '';
  if (valueOf('x-sign') !== signatureOf(body, valueOf('x-timestamp'), appKey))
    throw new Error('an answer is not signed');
}

function signatureOf(body: string, timestamp: string, appKey: string): string {
  return createHmac('sha256', appKey).update(`${body}${timestamp}${appKey}`).digest('hex');
}

serveParent(handlers);
