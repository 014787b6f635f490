// The floor of the scanner: fetches the answers that a block is read from, parses them, and does nothing with them.
import { drive, type Driven } from '../drive.ts';
import { serveParent } from '../worker.ts';

/** As many blocks at the same time as the watcher reads while it catches up. */
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
    const numbers = Array.from({ length: to - from + 1 }, (_, place) => from + place);
    const batches = Array.from({ length: Math.ceil(numbers.length / AT_ONCE) }, (_, place) =>
      numbers.slice(place * AT_ONCE, (place + 1) * AT_ONCE),
    );
    const done = await drive(1, 0.001, async () => {
      for (const batch of batches) await Promise.all(batch.map((number) => readBlock(url, number, traces)));
    });
    return { ...done, count: numbers.length };
  },
};

export type Fetcher = typeof handlers;

async function readBlock(url: string, number: number, traces: boolean): Promise<void> {
  const block = await ask(url, 'eth_getBlockByNumber', [`0x${number.toString(16)}`, true]);
  // Our own node's answer; a floor checks nothing.
  const { hash } = block as { readonly hash: string };
  await ask(url, 'eth_getBlockReceipts', [hash]);
  if (traces) await ask(url, 'debug_traceBlockByHash', [hash, { tracer: 'callTracer' }]);
}

async function ask(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return JSON.parse(await response.text()).result;
}

serveParent(handlers);
