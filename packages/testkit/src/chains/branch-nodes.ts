// Nodes in memory, of both families, that show any branch up to any head: what several of them do to each other.
import type { ChainDefinition, TraceMethod } from '@ducat/core/chain/chain';
import type { World } from '@ducat/gateway/runtime/world';
import type { ChainPort } from '@ducat/gateway/chains/port';
import { receiptsRoot, transactionsRoot } from '@ducat/gateway/chains/evm/block-roots';
import { createEvmChain } from '@ducat/gateway/chains/evm/evm-chain';
import { keccakOfHex } from '@ducat/gateway/chains/evm/keccak';
import type { RawReceipt, RawTransaction } from '@ducat/gateway/chains/evm/raw-block';
import { rlpData, rlpList, rlpQuantity } from '@ducat/gateway/chains/evm/rlp-hex';
import { createTronChain } from '@ducat/gateway/chains/tron/tron-chain';
import { testCurrency, testDefinition } from './test-currencies.ts';
import { mineBytes, number as integerField, type TronJson } from './tron/tron-bytes.ts';

export interface ShownBlock {
  readonly number: number;
  readonly hash: string;
  readonly json: TronJson;
}

/** Blocks by height, each on top of the one below. */
export type Branch = readonly ShownBlock[];

/** Read anew at each question. */
export interface BranchNode {
  readonly branch: Branch;
  readonly head: number;
  readonly final: number;
  readonly isAway?: boolean;
  /** Told where they are asked for by hash. */
  readonly siblings?: Branch;
  /** Hears each question before it is answered. */
  readonly onAsked?: (method: string, params: unknown) => void;
}

export interface BranchFamily {
  readonly name: string;
  /** Whether each block has something in it that two endpoints have to tell alike. */
  readonly takesTwo: boolean;
  /** Blocks up to `to` on top of `below`, or of nothing; another salt makes other blocks. */
  grow(to: number, salt: number, below?: Branch): Branch;
  /** A block of that height that stands on one that nobody has. */
  stray(height: number): ShownBlock;
  /** A chain seen through these nodes; `asked` gets the place of the node for each question. */
  chainOf(
    nodes: readonly BranchNode[],
    world: World,
    asked?: number[],
    more?: Partial<ChainDefinition>,
  ): ChainPort;
}

const zeros = (bytes: number): string => `0x${'0'.repeat(bytes * 2)}`;
const quantity = (value: number): string => `0x${value.toString(16)}`;
const place = (digit: string): string => `0x${digit.repeat(40)}`;

/** Calls a contract, which moves coins inside the transaction. */
function callAt(height: number, salt: number): RawTransaction {
  const unsigned = {
    type: '0x0',
    from: place('a'),
    to: place('b'),
    value: '0x0',
    nonce: quantity(height),
    input: `0x${salt.toString(16).padStart(8, '0')}`,
    gas: '0x186a0',
    gasPrice: '0x1',
    v: '0x1b',
    r: '0x1',
    s: '0x1',
    hash: zeros(32),
  };
  const [hash = ''] = transactionsRoot([unsigned]).ids;
  return { ...unsigned, hash };
}

const receiptOf = ({ hash }: RawTransaction, blockHash: string): RawReceipt => ({
  transactionHash: hash,
  transactionIndex: '0x0',
  blockHash,
  type: '0x0',
  status: '0x1',
  cumulativeGasUsed: '0xc350',
  logsBloom: zeros(256),
  logs: [],
});

const traceOf = ({ from, to, value }: RawTransaction): TronJson => ({
  type: 'CALL',
  from,
  to,
  value,
  calls: [{ type: 'CALL', from: to, to: place('c'), value: '0x5' }],
});

function evmBlock(
  height: number,
  parentHash: string,
  salt: number,
  transactions: readonly RawTransaction[] = [],
): ShownBlock {
  const data = {
    parentHash,
    sha3Uncles: zeros(32),
    miner: zeros(20),
    stateRoot: zeros(32),
    transactionsRoot: transactionsRoot(transactions).root,
    receiptsRoot: receiptsRoot(transactions.map((one) => receiptOf(one, ''))),
    logsBloom: zeros(256),
  };
  const numbers = {
    difficulty: '0x0',
    number: quantity(height),
    gasLimit: '0x1c9c380',
    gasUsed: '0x0',
    timestamp: quantity(1_700_000_000 + height),
  };
  const tail = { extraData: `0x${salt.toString(16).padStart(8, '0')}`, mixHash: zeros(32), nonce: zeros(8) };
  const items = [
    ...Object.values(data).map(rlpData),
    ...Object.values(numbers).map(rlpQuantity),
    ...Object.values(tail).map(rlpData),
  ];
  const hash = `0x${keccakOfHex(rlpList(items.join('')))}`;
  return { number: height, hash, json: { ...data, ...numbers, ...tail, hash, transactions } };
}

/** With a contract call in it, which two endpoints have to trace alike. */
const evmBlockWithCall = (height: number, parentHash: string, salt: number): ShownBlock =>
  evmBlock(height, parentHash, salt, [callAt(height, salt)]);

function tronBlock(height: number, parentHash: string, salt: number): ShownBlock {
  const { id, block } = mineBytes(height, [], salt === 0 ? '' : integerField(8, salt), parentHash);
  const { raw_data } = block['block_header'] as { readonly raw_data: TronJson };
  const header = { raw_data: salt === 0 ? raw_data : { ...raw_data, witness_id: salt } };
  return { number: height, hash: id, json: { ...block, block_header: header } };
}

type MakeBlock = (height: number, parentHash: string, salt: number) => ShownBlock;

function growWith(make: MakeBlock, noParent: string): Pick<BranchFamily, 'grow' | 'stray'> {
  return {
    grow(to, salt, below = []) {
      const blocks = [...below];
      while (blocks.length <= to) blocks.push(make(blocks.length, blocks.at(-1)?.hash ?? noParent, salt));
      return blocks;
    },
    stray: (height) => make(height, noParent.replaceAll('0', '7').replace(/^7x/, '0x'), height),
  };
}

const urlsOf = (nodes: readonly unknown[]): readonly string[] => nodes.map((_, place) => `http://n${place}/`);

/** As global fetch, with the nodes behind it. */
function fetchOf(
  nodes: readonly BranchNode[],
  asked: number[],
  answer: (node: BranchNode, path: string, question: TronJson) => unknown,
): typeof fetch {
  return async (input, init) => {
    const { host, pathname } = new URL(input instanceof Request ? input.url : input);
    const place = Number(host.slice(1));
    const node = nodes[place];
    const question: unknown = JSON.parse(typeof init?.body === 'string' ? init.body : 'null');
    if (node === undefined || node.isAway === true) throw new TypeError('fetch failed');
    const one = (single: unknown): unknown => {
      asked.push(place);
      return answer(node, pathname.slice(1), single as TronJson);
    };
    const told = Array.isArray(question) ? question.map(one) : one(question);
    return new Response(
      JSON.stringify(told, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)),
    );
  };
}

function byHashOf({ branch, siblings = [] }: BranchNode, wanted: unknown): ShownBlock | undefined {
  return [...branch, ...siblings].find(({ hash }) => hash === wanted);
}

function evmAnswer(node: BranchNode, _: string, { id, method, params }: TronJson): unknown {
  node.onAsked?.(String(method), params);
  const [which] = params as readonly string[];
  const at = (height: number) => (height > node.head ? undefined : node.branch[height]);
  const named = { latest: node.head, finalized: node.final };
  const byHash = () => byHashOf(node, which);
  const calls = () => (byHash()?.json['transactions'] ?? []) as readonly RawTransaction[];
  const answers: Readonly<Record<string, () => unknown>> = {
    eth_chainId: () => quantity(31_337),
    eth_blockNumber: () => quantity(node.head),
    eth_getBlockByNumber: () => at(named[which as 'latest'] ?? Number(which))?.json,
    eth_getBlockByHash: () => byHash()?.json,
    eth_getBlockReceipts: () => calls().map((one) => receiptOf(one, which ?? '')),
    debug_traceBlockByHash: () => calls().map((one) => ({ txHash: one.hash, result: traceOf(one) })),
  };
  return { jsonrpc: '2.0', id, result: answers[String(method)]?.() ?? null };
}

function tronAnswer(node: BranchNode, path: string, { id_or_num: which, num }: TronJson): unknown {
  node.onAsked?.(path, which ?? num);
  if (path.endsWith('/gettransactioninfobyblocknum')) return [];
  const newest = path.startsWith('walletsolidity/') ? node.final : node.head;
  const asked = which ?? num;
  const wanted = typeof asked === 'string' ? asked : Number(asked ?? newest);
  const block = /^\d{1,15}$/.test(`${wanted}`) ? node.branch[Number(wanted)] : byHashOf(node, wanted);
  return block === undefined || block.number > newest ? {} : block.json;
}

function evmFamily(name: string, make: MakeBlock, traceMethod: TraceMethod): BranchFamily {
  return {
    name,
    takesTwo: traceMethod !== 'none',
    ...growWith(make, zeros(32)),
    chainOf: (nodes, world, asked = [], more = {}) =>
      createEvmChain({
        definition: testDefinition({ ...common, traceMethod, ...more }),
        rpcUrls: urlsOf(nodes),
        world,
        fetch: fetchOf(nodes, asked, evmAnswer),
      }),
  };
}

const common = {
  name: 'ETH',
  traceMethod: 'none',
  confirmations: 3,
  currencies: [testCurrency(1000, null)],
} as const;

export const branchFamilies: readonly BranchFamily[] = [
  evmFamily('EVM', evmBlock, 'none'),
  evmFamily('EVM with traces', evmBlockWithCall, 'debug'),
  {
    name: 'Tron',
    takesTwo: false,
    ...growWith(tronBlock, '0'.repeat(64)),
    chainOf: (nodes, world, asked = [], more = {}) =>
      createTronChain({
        definition: testDefinition({
          ...common,
          ...more,
          family: 'tron',
          chainId: Number.parseInt((nodes[0]?.branch[0]?.hash ?? '').slice(-8), 16),
        }),
        rpcUrls: urlsOf(nodes),
        world,
        fetch: fetchOf(nodes, asked, tronAnswer),
        requestsPerSecond: 1_000_000,
      }),
  },
];
