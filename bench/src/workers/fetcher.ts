// The floor of the scanner: fetches and parses the answers that a block is read from, and does nothing with them.
import { drive, type Driven } from '../drive.ts';
import { serveParent } from '../worker.ts';

/** Blocks that are read at the same time: as many as the watcher reads while it catches up. */
const AT_ONCE = 16;

const handlers = {
  /** Blocks from..to, each with its receipts and, where they are read, its traces. */
  async read({
    url,
    from,
    to,
    traces,
  }: {
    url: string;
    from: number;
    to: number;
    traces: boolean;
  }): Promise<Driven> {
    return inBatches(from, to, (numbers) =>
      Promise.all(numbers.map((number) => readBlock(url, number, traces))),
    );
  },
  /**
   * Blocks from..to of Tron with their receipts. For each, also header and receipts of the solidified block `solidBelow`
   * blocks below it; null leaves those out.
   */
  async readTron({
    url,
    from,
    to,
    solidBelow,
  }: {
    url: string;
    from: number;
    to: number;
    solidBelow: number | null;
  }): Promise<Driven> {
    return inBatches(from, to, async (numbers) => {
      await Promise.all(numbers.map((number) => readTronBlock(`${url}/wallet`, number)));
      if (solidBelow === null) return;
      await Promise.all(numbers.map((number) => readTronFinal(`${url}/walletsolidity`, number - solidBelow)));
    });
  },
};

export type Fetcher = typeof handlers;

/** Reads these blocks, AT_ONCE at the same time. */
async function inBatches(
  from: number,
  to: number,
  read: (numbers: readonly number[]) => Promise<unknown>,
): Promise<Driven> {
  const numbers = Array.from({ length: to - from + 1 }, (_, place) => from + place);
  const batches = Array.from({ length: Math.ceil(numbers.length / AT_ONCE) }, (_, place) =>
    numbers.slice(place * AT_ONCE, (place + 1) * AT_ONCE),
  );
  const done = await drive(1, 0.001, async () => {
    for (const batch of batches) await read(batch);
  });
  return { ...done, count: numbers.length };
}

async function readBlock(url: string, number: number, traces: boolean): Promise<void> {
  const block = await ask(url, 'eth_getBlockByNumber', [`0x${number.toString(16)}`, true]);
  // The answer is of the benches' own node, and a floor checks nothing.
  const { hash } = block as { readonly hash: string };
  await ask(url, 'eth_getBlockReceipts', [hash]);
  if (traces) await ask(url, 'debug_traceBlockByHash', [hash, { tracer: 'callTracer' }]);
}

async function readTronBlock(base: string, num: number): Promise<void> {
  const { blockID, transactions = [] } = await post(`${base}/getblockbynum`, { num });
  if (blockID === undefined) throw new Error(`${base} has no block ${num}`);
  const receipts = await post(`${base}/gettransactioninfobyblocknum`, { num });
  // A node answers an empty list also for a block that it does not have.
  const [expected, received] = [transactions, receipts].map((list) => Object.keys(Object(list)).length);
  if (received !== expected)
    throw new Error(`${base} has ${received} receipts of block ${num}, not ${expected}`);
}

/** Reads a final block: only header and receipts, because its root has proven its transactions before. */
async function readTronFinal(base: string, num: number): Promise<void> {
  const { blockID } = await post(`${base}/getblock`, { id_or_num: String(num), detail: false });
  if (blockID === undefined) throw new Error(`${base} has no block ${num}`);
  await post(`${base}/gettransactioninfobyblocknum`, { num });
}

async function ask(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  return (await post(url, { jsonrpc: '2.0', id: 1, method, params }))['result'];
}

/** The parsed answer, an object or a list. */
async function post(url: string, body: unknown): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return JSON.parse(await response.text());
}

serveParent(handlers);
