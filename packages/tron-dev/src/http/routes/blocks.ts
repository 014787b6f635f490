// Calls about blocks.
import type { Block } from '../../chain/ledger.ts';
import { printBlock } from '../json/print-transaction.ts';
import { isVisible, type Params, readBool, readHeight, readId, readText } from '../read-request.ts';
import type { RouteContext, Routes } from '../route.ts';
import { HttpAnswer } from '../errors.ts';
import type { ChainView } from '../view.ts';

/** The widest range of blocks; getblockbylatestnum must ask for fewer. */
const widestRange = 100n;

export const blockRoutes: Routes = {
  getnowblock: (params, { view }) => printBlock(view.head(), isVisible(params)),

  getblock: (params, { view }) => {
    const block = blockNamed(view, readText(params, 'id_or_num'));
    return block === null ? {} : printBlock(block, isVisible(params), readBool(params, 'detail'));
  },

  getblockbynum: (params, { view }) => orEmpty(view.blockByNumber(readHeight(params, 'num')), params),

  getblockbyid: (params, { view }) => orEmpty(view.blockById(readId(params, 'value')), params),

  getblockbylimitnext: (params, { view }) => {
    const start = readHeight(params, 'startNum');
    const end = readHeight(params, 'endNum');
    if (start < 0n || end <= start || end - start > widestRange) return {};
    return blockList(view, numbersFrom(start, end), params);
  },

  getblockbylatestnum: (params, { view }) => {
    const count = readHeight(params, 'num');
    if (count <= 0n || count >= widestRange) return {};
    const head = BigInt(view.head().number);
    const first = head - count + 1n < 0n ? 0n : head - count + 1n;
    return blockList(view, numbersFrom(first, head + 1n).reverse(), params);
  },

  gettransactioncountbyblocknum: (params, { view }) => {
    const block = view.blockByNumber(readHeight(params, 'num'));
    return { count: block?.transactions.length ?? 0 };
  },

  getnodeinfo: (_params, context) => nodeInfo(context),
};

function blockNamed(view: ChainView, name: string): Block | null {
  if (name === '') return view.head();
  if (/^[0-9a-f]{64}$/i.test(name)) return view.blockById(name.toLowerCase());
  if (/^\d+$/.test(name)) return view.blockByNumber(BigInt(name));
  throw new HttpAnswer(
    200,
    name.startsWith('-') ? 'num must be non-positive number.' : 'id must be legal block hash.',
  );
}

function orEmpty(block: Block | null, params: Params): unknown {
  return block === null ? {} : printBlock(block, isVisible(params));
}

function blockList(view: ChainView, numbers: readonly bigint[], params: Params): unknown {
  const blocks = numbers.flatMap((number) => view.blockByNumber(number) ?? []);
  return blocks.length === 0 ? {} : { block: blocks.map((block) => printBlock(block, isVisible(params))) };
}

function numbersFrom(start: bigint, end: bigint): bigint[] {
  return Array.from({ length: Number(end - start) }, (_, index) => start + BigInt(index));
}

function nodeInfo({ chain }: RouteContext): unknown {
  const named = (block: Block) => `Num:${block.number},ID:${block.id}`;
  return {
    beginSyncNum: chain.head.number,
    block: named(chain.head),
    solidityBlock: named(chain.solidHead),
    currentConnectCount: 0,
    activeConnectCount: 0,
    passiveConnectCount: 0,
    totalFlow: 0,
    peerList: [],
    configNodeInfo: { codeVersion: 'tron-dev', supportConstant: true },
  };
}
