// What a faulty EVM node makes of an honest answer.
import type { RpcCall, RpcResult } from './evm-node.ts';
import { quantity, word } from './evm-rules.ts';
import { type Fields, fieldsOf, listOf } from './fields.ts';
import type { Lie } from './provider.ts';

/** A payment that a faulty provider forges. */
export interface Forgery {
  readonly currencyId: number;
  readonly to: string;
  readonly contract: string | null;
  readonly units: bigint;
}

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const PAYER = `0x${'ab'.repeat(20)}`;

/** The answer as the faulty provider gives it; the honest one where this lie does not concern the question. */
export function lieAbout(
  lie: Lie,
  { method, params }: RpcCall,
  honest: RpcResult,
  forgery: Forgery | null,
): RpcResult {
  if (method === 'eth_call') return liedBalances(lie, honest);
  if ('error' in honest || honest.result === null) return honest;
  const { result } = honest;
  if (lie === 'error') return { error: { code: -32000, message: 'the node is out of order' } };
  if (method === 'eth_blockNumber') return { result: liedHead(lie, Number(result)) };
  if (method === 'eth_getBlockByNumber' && lie === 'final ahead' && params[0] === 'finalized') {
    const block = fieldsOf(result);
    return { result: { ...block, number: quantity(Number(block['number']) + 2) } };
  }
  if (method === 'eth_getBlockByNumber' && lie === 'empty list') {
    return { result: { ...fieldsOf(result), transactions: [] } };
  }
  if (method === 'eth_getBlockReceipts') return { result: liedReceipts(lie, listOf(result), forgery) };
  if (method === 'debug_traceBlockByHash') return { result: liedTraces(lie, listOf(result), forgery) };
  if (method === 'eth_getBlockByNumber' && lie === 'altered payment' && params[1] === true) {
    return { result: withPaidTransaction(fieldsOf(result), forgery) };
  }
  return honest;
}

/** Raises every balance in the answer, or makes it zero. The first two words name the block. */
function liedBalances(lie: Lie, honest: RpcResult): RpcResult {
  if (!('error' in honest) || honest.error.data === undefined) return honest;
  if (lie !== 'forged balance' && lie !== 'missing balance') return honest;
  const words = honest.error.data.slice(2).match(/.{64}/g) ?? [];
  const lied = words.map((one, place) => {
    if (place < 2) return one;
    return word(quantity(lie === 'missing balance' ? 0n : BigInt(`0x${one}`) + 10n ** 18n)).slice(2);
  });
  return { error: { ...honest.error, data: `0x${lied.join('')}` } };
}

function liedHead(lie: Lie, head: number): string {
  if (lie === 'backwards head') return quantity(Math.max(0, head - 3));
  return quantity(lie === 'head ahead' ? head + 5 : head);
}

function liedReceipts(lie: Lie, receipts: readonly Fields[], forgery: Forgery | null): readonly Fields[] {
  const [first, ...rest] = receipts;
  if (lie === 'empty list') return [];
  if (first === undefined) return receipts;
  const logs = listOf(first['logs']);
  if (lie === 'missing payment') return [{ ...first, logs: logs.slice(1) }, ...rest];
  if (lie === 'altered payment') {
    return [{ ...first, logs: logs.map((log) => ({ ...log, data: word(quantity(10n ** 24n)) })) }, ...rest];
  }
  if (lie !== 'forged payment' || forgery === null) return receipts;
  const log = {
    address: forgery.contract ?? PAYER,
    topics: [TRANSFER, word(PAYER), word(forgery.to)],
    data: word(quantity(forgery.units)),
    blockHash: first['blockHash'],
    transactionHash: first['transactionHash'],
    logIndex: quantity(logs.length),
  };
  return [{ ...first, logs: [...logs, log] }, ...rest];
}

function liedTraces(lie: Lie, traces: readonly Fields[], forgery: Forgery | null): readonly Fields[] {
  return traces.map((trace) => {
    const frame = fieldsOf(trace['result']);
    if (lie === 'missing trace') return { ...trace, result: { ...frame, calls: [] } };
    if (lie !== 'forged trace' || forgery === null) return trace;
    const calls = listOf(frame['calls']);
    // A call that did pay is made to pay more. The balance confirms only a part of it, so the rest has to be refused.
    if (calls.length > 0) return { ...trace, result: { ...frame, calls: calls.map(withMoreValue) } };
    const call = { type: 'CALL', from: frame['to'], to: forgery.to, value: quantity(forgery.units) };
    return { ...trace, result: { ...frame, calls: [call] } };
  });
}

function withMoreValue(call: Fields): Fields {
  const { value } = call;
  return typeof value === 'string' ? { ...call, value: quantity(BigInt(value) * 1_000n) } : call;
}

/** Turns the first transaction into a payment of the native currency, and leaves the root as it is. */
function withPaidTransaction(block: Fields, forgery: Forgery | null): Fields {
  const [first, ...rest] = listOf(block['transactions']);
  if (first === undefined || forgery === null) return block;
  return { ...block, transactions: [{ ...first, to: forgery.to, value: quantity(forgery.units) }, ...rest] };
}
