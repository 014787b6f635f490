// A node of Tron in memory: blocks made of any bytes, served over java-tron's HTTP API by its two views.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { HttpPost } from '@ducat/gateway/chains/rpc/http-post';
import { testCurrency, testDefinition } from '../test-currencies.ts';
import {
  type MinedBlock,
  type MinedBytes,
  mineBytes,
  ownerHex,
  recipientHex,
  type TronJson,
} from './tron-bytes.ts';

/** Gives the answer to a call; undefined lets the node answer honestly. May throw, or give a PlainAnswer with a status. */
export type Tamper = (call: string, parameters: TronJson, honest: unknown) => unknown;

/** An answer that is no JSON. */
export class PlainAnswer {
  readonly status: number;
  readonly text: string;

  constructor(status: number, text = '') {
    this.status = status;
    this.text = text;
  }
}

export interface MinedNode {
  readonly http: HttpPost;
  /** Calls in the order in which they were asked, such as wallet/getblock. */
  readonly asked: string[];
  readonly headers: Readonly<Record<string, string>>[];
  head: number;
  solidHead: number;
  tamper: Tamper | null;
}

export const tokenHex = `41${'c'.repeat(40)}`;
export const trx = testCurrency(1000, null);
export const token = testCurrency(1001, tokenHex);
/** Five units of the token, as a receipt logs them. */
export const tokenLog = {
  address: tokenHex.slice(2),
  topics: [
    'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
    '0'.repeat(24) + ownerHex.slice(2),
    '0'.repeat(24) + recipientHex.slice(2),
  ],
  data: '5'.padStart(64, '0'),
};

/** A chain of these blocks above an empty genesis and an empty block 1; the first of them is block 2. */
export function minedChain(blocks: readonly (readonly MinedBytes[])[]): readonly MinedBlock[] {
  const chain: MinedBlock[] = [];
  for (const mined of [[], [], ...blocks])
    chain.push(mineBytes(chain.length, mined, '', chain.at(-1)?.id ?? '22'.repeat(32)));
  return chain;
}

export function definitionOf([genesis]: readonly MinedBlock[]): ChainDefinition {
  const id = genesis?.id ?? '';
  const currencies = [trx, token];
  const chainId = Number.parseInt(id.slice(-8), 16);
  return testDefinition({ family: 'tron', chainId, genesisHash: id, currencies });
}

/** A node that serves this chain. Its solid head is its head. */
export function minedNode(chain: readonly MinedBlock[]): MinedNode {
  const node: MinedNode = {
    asked: [],
    headers: [],
    head: chain.length - 1,
    solidHead: chain.length - 1,
    tamper: null,
    http: async ({ url, body, headers }) => {
      const call = new URL(url).pathname.slice(1);
      node.asked.push(call);
      node.headers.push(headers);
      const parameters: TronJson = JSON.parse(body);
      const honest = honestAnswer(chain, node, call, parameters);
      const answer = node.tamper?.(call, parameters, honest) ?? honest;
      const plain = answer instanceof PlainAnswer ? answer : new PlainAnswer(200, textOf(answer));
      const { status, text } = plain;
      return { status, body: inOnePiece(text) };
    },
  };
  return node;
}

function honestAnswer(
  chain: readonly MinedBlock[],
  { head, solidHead }: MinedNode,
  call: string,
  { num, id_or_num: name, value }: TronJson,
): unknown {
  const [view = '', method = ''] = call.split('/');
  const shown = chain.slice(0, (view === 'walletsolidity' ? solidHead : head) + 1);
  const receipts = shown.flatMap((block) => block.receipts);
  const transactions = shown.flatMap(({ block }) => listOf(block['transactions']));
  switch (method) {
    case 'getblock': {
      const block =
        name === undefined ? shown.at(-1) : shown.find(({ id }, at) => name === id || name === String(at));
      return { ...block?.block, transactions: undefined };
    }
    case 'getblockbynum':
      return shown[Number(num)]?.block ?? {};
    case 'gettransactioninfobyblocknum':
      return shown[Number(num)]?.receipts ?? [];
    case 'gettransactioninfobyid':
      return receipts.find(({ id }) => id === value) ?? {};
    case 'gettransactionbyid':
      return transactions.find(({ txID }) => txID === value) ?? {};
    default:
      return {};
  }
}

function listOf(value: unknown): readonly TronJson[] {
  return Array.isArray(value) ? value : [];
}

async function* inOnePiece(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
}

/** Integers as nodes write them, however long they are. */
function textOf(value: unknown): string {
  const marked = JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'bigint' ? `bigint:${part}` : part,
  );
  return marked.replace(/"bigint:(-?\d+)"/g, '$1');
}
