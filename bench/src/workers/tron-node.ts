// A Tron node in memory: it makes blocks once and serves them over java-tron's HTTP API, up to its head and solid block.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MadeBalances } from '../chains/made-balances.ts';
import { TRON_USDT } from '../chains/tron-entry.ts';
import { type MadeTronBlock, makeTronBlock, type TronSpend } from '../chains/tron-block-maker.ts';
import { serveParent } from '../worker.ts';

const FIRST_TIME_MS = 1_700_000_000_000;
const BLOCK_TIME_MS = 3_000;
/** A block is solidified once 19 of 27 representatives have built on it, including its own maker. */
const SOLID_BELOW_HEAD = 18;
const MAX_BODY_BYTES = 64 * 1024;
const CHAIN_ID_DIGITS = 8;
/** Every token has six decimals. */
const DECIMALS = '6'.padStart(64, '0');

const blocks: MadeTronBlock[] = [];
const balances = new MadeBalances(TRON_USDT.contract.slice(2));
let requests = 0;
let head = 0;
/** When a block above the previous head was first asked for; null until then. */
let firstAsked: { readonly above: number; atMs: number | null } = { above: 0, atMs: null };
add([]);

const handlers = {
  async listen(_nothing: null): Promise<TronView> {
    const server = createServer((request, response) => serve(request, response));
    server.keepAliveTimeout = 60_000;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // Listening on TCP gives an address with a port.
    const { port } = server.address() as AddressInfo;
    const genesisId = blocks[0]?.id ?? '';
    const chainId = Number.parseInt(genesisId.slice(-CHAIN_ID_DIGITS), 16);
    return { url: `http://127.0.0.1:${port}`, chainId, genesisId };
  },
  /** Adds a block for each list of spends. It is shown only once the head is moved. Returns the number of the newest. */
  add({ spends }: { spends: readonly (readonly TronSpend[])[] }): number {
    for (const some of spends) add(some);
    return blocks.length - 1;
  },
  /** Shows blocks up to this number. The solidified block follows below it. */
  show({ to }: { to: number }): void {
    firstAsked = { above: head, atMs: null };
    head = Math.min(to, blocks.length - 1);
  },
  hashOf({ number }: { number: number }): string {
    return blocks[number]?.id ?? '';
  },
  /** From now on the address holds so many units of USDT less than its transfers brought. */
  take({ address, units }: { address: string; units: bigint }): void {
    balances.take(address.slice(2), units);
  },
  /** Calls for many balances so far; `requests` counts all requests. */
  balanceCalls(_nothing: null): number {
    return balances.calls;
  },
  requests(_nothing: null): number {
    return requests;
  },
  /** When the first of the newly shown blocks was asked for; null where none was. */
  firstAskedAtMs(_nothing: null): number | null {
    return firstAsked.atMs;
  },
};

export type TronNode = typeof handlers;

export interface TronView {
  readonly url: string;
  readonly chainId: number;
  readonly genesisId: string;
}

function add(spends: readonly TronSpend[]): void {
  const number = blocks.length;
  const parentId = blocks.at(-1)?.id ?? '0'.repeat(64);
  blocks.push(makeTronBlock({ number, parentId, timeMs: FIRST_TIME_MS + number * BLOCK_TIME_MS, spends }));
}

function serve(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) request.destroy();
    else chunks.push(chunk);
  });
  request.on('end', () => {
    requests += 1;
    const [, view, call = ''] = (request.url ?? '').split('/');
    const top = view === 'walletsolidity' ? Math.max(0, head - SOLID_BELOW_HEAD) : head;
    const body = Buffer.from(answer(top, call, JSON.parse(Buffer.concat(chunks).toString('utf8'))), 'latin1');
    response.writeHead(200, {
      'content-type': 'application/json;charset=utf-8',
      'content-length': body.length,
    });
    response.end(body);
  });
}

interface Parameters {
  readonly num?: number;
  readonly id_or_num?: string;
  readonly data?: string;
}

function answer(top: number, call: string, { num, id_or_num, data }: Parameters): string {
  switch (call) {
    case 'getblock':
      return named(top, id_or_num)?.header ?? '{}';
    case 'getblockbynum':
      if (num !== undefined && num > firstAsked.above) firstAsked.atMs ??= Date.now();
      return shown(top, num)?.block ?? '{}';
    case 'gettransactioninfobyblocknum':
      return shown(top, num)?.receipts ?? '[]';
    // Every contract is a token.
    case 'getcontract':
      return `{"origin_address":"41${'0'.repeat(40)}","bytecode":"60"}`;
    case 'triggerconstantcontract':
      if (data !== undefined) return balancesOf(top, data);
      return `{"result":{"result":true},"constant_result":["${DECIMALS}"],"transaction":{"ret":[{}]}}`;
    default:
      return '{}';
  }
}

/** The answer has the block's number, its parent's hash and the balances. On Tron the gateway does not compare that hash. */
function balancesOf(top: number, data: string): string {
  const words = balances.answer(data) ?? '';
  const result = top.toString(16).padStart(64, '0') + '0'.repeat(64) + words;
  return `{"result":{"result":true},"constant_result":["${result}"],"transaction":{"ret":[{}]}}`;
}

function named(top: number, name: string | undefined): MadeTronBlock | undefined {
  if (name === undefined) return blocks[top];
  return name.length < 64 ? shown(top, Number(name)) : blocks.slice(0, top + 1).find(({ id }) => id === name);
}

function shown(top: number, number: number | undefined): MadeTronBlock | undefined {
  return number !== undefined && number <= top ? blocks[number] : undefined;
}

serveParent(handlers);
