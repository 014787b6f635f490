// One EVM node's answers: what a view of the chain holds, in the words of JSON-RPC.
import type { Currency } from '@ducat/core/chain/currency';
import { multicallData } from '@ducat/gateway/chains/balances/multicall';
import { type EvmBlock, quantity, word } from './evm-rules.ts';
import { fieldsOf } from './fields.ts';
import { ancestorAt, balanceAt, type SimBlock } from './sim-block.ts';

/** What a node sees of the chain now. */
export interface NodeView {
  readonly tip: SimBlock;
  /** The height that it calls finalized. */
  readonly finalHeight: number;
}

export interface RpcCall {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

export interface EvmNodeOptions {
  readonly chainId: number;
  readonly currencies: readonly Currency[];
}

export type RpcResult =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: string } };

/** An honest node: it answers what its view holds. */
export function answerCall({ method, params }: RpcCall, view: NodeView, options: EvmNodeOptions): RpcResult {
  const [first, second] = params;
  switch (method) {
    case 'eth_chainId':
      return { result: quantity(options.chainId) };
    case 'eth_blockNumber':
      return { result: quantity(view.tip.header.number) };
    case 'eth_getBlockByNumber':
      return { result: blockAnswer(byTag(first, view), second === true) };
    case 'eth_getBlockByHash':
      return { result: blockAnswer(byHash(first, view), second === true) };
    case 'eth_getBlockReceipts':
      return { result: evmBlockOf(byHash(first, view))?.receipts ?? null };
    case 'debug_traceBlockByHash':
      return tracesOf(byHash(first, view));
    case 'eth_getBalance':
      return balance(String(first), null, second, view, options);
    case 'eth_call':
      return fieldsOf(first)['to'] === undefined
        ? manyBalances(String(fieldsOf(first)['data']), second, view, options)
        : callBalance(first, second, view, options);
    default:
      return { error: { code: -32601, message: 'the method does not exist' } };
  }
}

function byTag(tag: unknown, { tip, finalHeight }: NodeView): SimBlock | null {
  if (tag === 'latest') return tip;
  const number = tag === 'finalized' ? Math.min(finalHeight, tip.header.number) : Number(tag);
  return ancestorAt(tip, number);
}

function byHash(hash: unknown, { tip }: NodeView): SimBlock | null {
  for (let block: SimBlock | null = tip; block !== null; block = block.parent) {
    if (block.header.hash === hash) return block;
  }
  return null;
}

function evmBlockOf(block: SimBlock | null): EvmBlock | null {
  // Only the rules of this family make blocks of this chain.
  return block === null ? null : (block.raw as EvmBlock);
}

function blockAnswer(block: SimBlock | null, withTransactions: boolean): unknown {
  const raw = evmBlockOf(block);
  if (raw === null) return null;
  const { header, transactions } = raw;
  return { ...header, transactions: withTransactions ? transactions : transactions.map(({ hash }) => hash) };
}

function tracesOf(block: SimBlock | null): RpcResult {
  const raw = evmBlockOf(block);
  if (raw === null) return { error: { code: -32000, message: 'block not found' } };
  return {
    result: raw.frames.map((frame, place) => ({ txHash: raw.transactions[place]?.hash, result: frame })),
  };
}

function callBalance(call: unknown, at: unknown, view: NodeView, options: EvmNodeOptions): RpcResult {
  const { to, data } = fieldsOf(call);
  return balance(`0x${String(data).slice(-40)}`, String(to), at, view, options);
}

const ADDRESS_DIGITS = 40;

/** The multicall code is not executed. It is recognised by its bytes, and the holders follow it. */
function manyBalances(data: string, at: unknown, view: NodeView, options: EvmNodeOptions): RpcResult {
  const block = byHash(fieldsOf(at)['blockHash'], view);
  if (block === null) return { error: { code: -32000, message: 'header not found' } };
  const forms = options.currencies.map((currency) => ({
    currency,
    code: `0x${multicallData(currency.contract, [])}`,
  }));
  const form = forms.find(({ code }) => data.startsWith(code));
  if (form === undefined) return { error: { code: -32000, message: 'execution reverted' } };
  const holders = data.slice(form.code.length).match(new RegExp(`.{${ADDRESS_DIGITS}}`, 'g')) ?? [];
  const words = [
    quantity(block.header.number),
    block.header.parentHash,
    ...holders.map((holder) => quantity(balanceAt(block, `0x${holder}`, form.currency.currencyId))),
  ];
  const answer = words.map((one) => word(one).slice(2)).join('');
  return { result: `0x${answer}` };
}

function balance(
  address: string,
  contract: string | null,
  at: unknown,
  view: NodeView,
  { currencies }: EvmNodeOptions,
): RpcResult {
  const block = byHash(fieldsOf(at)['blockHash'], view);
  const currency = currencies.find((one) => one.contract === contract);
  if (block === null || currency === undefined) {
    return { error: { code: -32000, message: 'header not found' } };
  }
  const units = balanceAt(block, address, currency.currencyId);
  return { result: contract === null ? quantity(units) : word(quantity(units)) };
}
