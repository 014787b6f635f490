// An EVM node in memory: it makes blocks once and serves them as JSON-RPC over HTTP, up to a head that the bench sets.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { USDT } from '../chains/chain-entry.ts';
import { MadeBalances } from '../chains/made-balances.ts';
import { type BlockPlan, type MadeBlock, makeBlock, type Spend } from '../chains/block-maker.ts';
import { serveParent } from '../worker.ts';

const chainId = 31_337;
const FIRST_TIME = 1_700_000_000;
/** No request of a bench is longer. */
const MAX_BODY_BYTES = 1024 * 1024;

const blocks: MadeBlock[] = [];
const byHash = new Map<string, MadeBlock>();
const balances = new MadeBalances(USDT.contract.slice(2));
/** The blocks that one URL shows. Each gateway has a URL of its own, and so its own height of the one chain. */
interface Shown {
  head: number;
  /** The head before its last move. */
  above: number;
  /** When a block above the previous head was first asked for; null until then. */
  askedAtMs: number | null;
}

const views: Shown[] = [];
add([], FIRST_TIME);

const handlers = {
  /** Serves the chain at one more URL, which shows only the first block so far. */
  async listen(_nothing: null): Promise<View> {
    const view = views.push({ head: 0, above: 0, askedAtMs: null }) - 1;
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      request.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_BODY_BYTES) request.destroy();
        else chunks.push(chunk);
      });
      request.on('end', () => respond(view, JSON.parse(Buffer.concat(chunks).toString('utf8')), response));
    });
    server.keepAliveTimeout = 60_000;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // Listening on TCP gives an address with a port.
    const { port } = server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}`, view, chainId };
  },
  /** Adds a block for each list of spends. It is shown only once the head is moved. Returns the number of the newest. */
  add({ spends, time }: { spends: readonly (readonly Spend[])[]; time?: number }): number {
    for (const [place, some] of spends.entries()) add(some, (time ?? FIRST_TIME + blocks.length) + place);
    return blocks.length - 1;
  },
  /** Shows blocks up to this number. Returns when, in Unix milliseconds. */
  show({ view, head }: { view: number; head: number }): { shownAtMs: number } {
    views[view] = { head: Math.min(head, blocks.length - 1), above: views[view]?.head ?? 0, askedAtMs: null };
    return { shownAtMs: Date.now() };
  },
  hashOf({ number }: { number: number }): string {
    return blocks[number]?.hash ?? '';
  },
  /** From now on the address holds so many units of USDT less than its transfers brought. */
  take({ address, units }: { address: string; units: bigint }): void {
    balances.take(address.slice(2), units);
  },
  /** Calls for many balances so far. */
  balanceCalls(_nothing: null): number {
    return balances.calls;
  },
  /** When the first of the newly shown blocks was asked for; null where none was. */
  firstAskedAtMs({ view }: { view: number }): number | null {
    return views[view]?.askedAtMs ?? null;
  },
};

export type Node = typeof handlers;

export interface View {
  readonly url: string;
  readonly view: number;
  readonly chainId: number;
}

function add(spends: readonly Spend[], time: number): void {
  const parentHash = blocks.at(-1)?.hash ?? `0x${'0'.repeat(64)}`;
  const plan: BlockPlan = { chainId, number: blocks.length, parentHash, time, spends };
  const block = makeBlock(plan);
  blocks.push(block);
  byHash.set(block.hash, block);
}

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

function respond(view: number, asked: Call | readonly Call[], response: ServerResponse): void {
  const text = isList(asked) ? `[${asked.map((call) => answer(view, call)).join(',')}]` : answer(view, asked);
  const body = Buffer.from(text, 'latin1');
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
}

function isList(asked: Call | readonly Call[]): asked is readonly Call[] {
  return Array.isArray(asked);
}

function answer(view: number, { id, method, params }: Call): string {
  const shown = views[view];
  if (shown !== undefined && isAbove(shown, method, params)) shown.askedAtMs ??= Date.now();
  const many = method === 'eth_call' ? balancesOf(params) : null;
  return `{"jsonrpc":"2.0","id":${id},"result":${many ?? resultOf(shown?.head ?? 0, method, params)}}`;
}

/** The answer has the block's number, the hash of its parent, and then the balances. */
function balancesOf([call, at]: readonly unknown[]): string | null {
  const { to, data = '' } = call as { readonly to?: string; readonly data?: string };
  const { blockHash = '' } = at as { readonly blockHash?: string };
  const number = byHash.get(blockHash)?.number;
  const words = to === undefined ? balances.answer(data.slice(2)) : null;
  if (words === null || number === undefined) return null;
  return `"0x${number.toString(16).padStart(64, '0')}${blocks[number - 1]?.hash.slice(2) ?? ''}${words}"`;
}

/** Whether the call asks for a whole block above the previous head. */
function isAbove({ head, above }: Shown, method: string, params: readonly unknown[]): boolean {
  return method === 'eth_getBlockByNumber' && params[1] === true && numberOf(head, params[0]) > above;
}

function resultOf(head: number, method: string, params: readonly unknown[]): string {
  switch (method) {
    case 'eth_chainId':
      return `"0x${chainId.toString(16)}"`;
    case 'eth_blockNumber':
      return `"0x${head.toString(16)}"`;
    case 'eth_getBlockByNumber': {
      const block = shown(head, numberOf(head, params[0]));
      return block === undefined ? 'null' : params[1] === true ? block.block : block.header;
    }
    case 'eth_getBlockByHash':
      return byHash.get(String(params[0]))?.header ?? 'null';
    case 'eth_getBlockReceipts':
      return byHash.get(String(params[0]))?.receipts ?? 'null';
    case 'debug_traceBlockByHash':
      return byHash.get(String(params[0]))?.traces ?? 'null';
    // Every contract is a token of six decimals.
    case 'eth_getCode':
      return '"0x60"';
    case 'eth_call':
      return `"0x${'6'.padStart(64, '0')}"`;
    case 'eth_getBalance':
      return '"0x0"';
    default:
      return 'null';
  }
}

function numberOf(head: number, tag: unknown): number {
  return tag === 'latest' || tag === 'finalized' ? head : Number(tag);
}

function shown(head: number, number: number): MadeBlock | undefined {
  return number <= head ? blocks[number] : undefined;
}

serveParent(handlers);
