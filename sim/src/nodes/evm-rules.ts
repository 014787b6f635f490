// The rules of an EVM chain: transactions, receipts, traces and headers whose hashes and roots are real.
import { receiptsRoot, transactionsRoot } from '@ducat/testkit/chains/evm/blocks/block-roots';
import { keccakOfHex } from '@ducat/testkit/chains/evm/blocks/keccak';
import type { RawReceipt, RawTransaction } from '@ducat/testkit/chains/evm/blocks/raw-block';
import { rlpData, rlpList, rlpQuantity } from '@ducat/testkit/chains/evm/blocks/rlp-hex';
import type { Currency } from '@ducat/core/chain/currency';
import type { ChainRules, SentTransaction, SimTransfer, ValueTransfer } from './sim-block.ts';

/** A call as the tracer shows it. */
export interface Frame {
  readonly type: 'CALL';
  readonly from: string;
  readonly to: string;
  readonly value: string;
  readonly error?: string;
  readonly calls?: readonly Frame[];
}

/** What a node knows of a transaction, whatever block it stands in. */
export interface EvmTransaction {
  readonly tx: RawTransaction;
  readonly status: '0x1' | '0x0';
  readonly gas: number;
  readonly logs: readonly Pick<RawReceipt['logs'][number], 'address' | 'topics' | 'data'>[];
  readonly frame: Frame;
}

export interface EvmBlock {
  /** Everything but the transactions, which are shown in full or by their ids. */
  readonly header: Readonly<Record<string, unknown>>;
  readonly transactions: readonly RawTransaction[];
  readonly receipts: readonly RawReceipt[];
  readonly frames: readonly Frame[];
}

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** The recipient of every transaction that is no plain payment: a contract that pays others. */
const CONTRACT = `0x${'c0'.repeat(20)}`;
/** A token that the gateway does not watch. */
const UNKNOWN_TOKEN = `0x${'ee'.repeat(20)}`;
const ZERO_HASH = `0x${'00'.repeat(32)}`;
const NO_BLOOM = `0x${'00'.repeat(256)}`;
const PLAIN_GAS = 21_000;
const CALL_GAS = 60_000;

export function evmRules(currencies: readonly Currency[]): ChainRules {
  const contracts = new Map(currencies.map(({ currencyId, contract }) => [currencyId, contract]));
  const isNative = ({ currencyId }: ValueTransfer): boolean => contracts.get(currencyId) === null;
  const contractOf = ({ currencyId }: ValueTransfer): string => contracts.get(currencyId) ?? UNKNOWN_TOKEN;
  return {
    isPlain: false,
    transaction: (valueTransfers, failed, salt) => {
      const raw = evmTransaction(valueTransfers, failed, salt, isNative, contractOf);
      return { txId: raw.tx.hash, valueTransfers, failed, raw };
    },
    executed: (transaction, valueTransfers, failed) => {
      if (isPlainPayment(transaction.valueTransfers, isNative)) return null;
      const other = evmTransaction(valueTransfers, failed, 0, isNative, contractOf);
      return { ...transaction, valueTransfers, failed, raw: { ...other, tx: evmOf(transaction).tx } };
    },
    transfersOf: (transaction) => transfersOf(transaction, isNative),
    block: (parent, transactions, time, salt) => {
      const number = (parent?.header.number ?? -1) + 1;
      const parentHash = parent?.header.hash ?? ZERO_HASH;
      const raw = evmBlock({ number, parentHash, time, salt }, transactions.map(evmOf));
      return { header: { number, hash: String(raw.header['hash']), parentHash, time }, raw };
    },
  };
}

/** The parts that a transaction of this chain was made with. */
function evmOf({ raw }: Pick<SentTransaction, 'raw'>): EvmTransaction {
  // Only the rules of this family make transactions of this chain.
  return raw as EvmTransaction;
}

/** The transaction's own value, or its token transfers by their logs and then its internal transactions. */
function transfersOf(
  { txId, valueTransfers, failed }: SentTransaction,
  isNative: (valueTransfer: ValueTransfer) => boolean,
): readonly SimTransfer[] {
  if (failed) return [];
  const [only] = valueTransfers;
  const isPlain = only !== undefined && isPlainPayment(valueTransfers, isNative);
  const place = (valueTransfer: ValueTransfer, position: string): readonly SimTransfer[] => {
    const { currencyId, from, to, units, isTrap = false } = valueTransfer;
    if (units === 0n || isTrap) return [];
    return [
      { txId, position, from: isPlain || !isNative(valueTransfer) ? from : CONTRACT, to, currencyId, units },
    ];
  };
  if (isPlain) return place(only, 'value');
  const logs = valueTransfers.filter((valueTransfer) => !isNative(valueTransfer));
  const moved = valueTransfers.filter((one) => isNative(one) && one.units > 0n && one.isTrap !== true);
  return [
    ...logs.flatMap((valueTransfer, index) => place(valueTransfer, `log:${index}`)),
    ...moved.flatMap((valueTransfer, index) => place(valueTransfer, `internal:${index}`)),
  ];
}

function isPlainPayment(
  valueTransfers: readonly ValueTransfer[],
  isNative: (valueTransfer: ValueTransfer) => boolean,
): boolean {
  const [only, ...more] = valueTransfers;
  return only !== undefined && more.length === 0 && isNative(only) && only.isTrap !== true;
}

function evmTransaction(
  valueTransfers: readonly ValueTransfer[],
  failed: boolean,
  salt: number,
  isNative: (valueTransfer: ValueTransfer) => boolean,
  contractOf: (valueTransfer: ValueTransfer) => string,
): EvmTransaction {
  const [first] = valueTransfers;
  const from = first?.from ?? CONTRACT;
  const isPlain = isPlainPayment(valueTransfers, isNative);
  const to = isPlain ? (first?.to ?? CONTRACT) : CONTRACT;
  const value = isPlain ? quantity(first?.units ?? 0n) : '0x0';
  const unsigned = {
    nonce: quantity(salt),
    gasPrice: '0x1',
    gas: '0x30d40',
    to,
    value,
    input: isPlain ? '0x' : '0x5e',
    v: '0x25',
    r: '0x1',
    s: '0x1',
    from,
  };
  const hash = transactionsRoot([{ ...unsigned, hash: ZERO_HASH }]).ids[0] ?? ZERO_HASH;
  const logs = valueTransfers
    .filter((valueTransfer) => !isNative(valueTransfer))
    .map((one) => logOf(one, contractOf(one)));
  const calls = isPlain ? [] : valueTransfers.filter(isNative).map(frameOf);
  const top: Frame = { type: 'CALL', from, to, value, calls };
  return {
    tx: { ...unsigned, hash },
    status: failed ? '0x0' : '0x1',
    gas: isPlain ? PLAIN_GAS : CALL_GAS,
    logs: failed ? [] : logs,
    frame: failed ? { ...top, error: 'execution reverted' } : top,
  };
}

/** A trap has the first topic of a transfer and the shape of another event. */
function logOf(
  { from, to, units, isTrap = false }: ValueTransfer,
  address: string,
): EvmTransaction['logs'][number] {
  const topics = [TRANSFER, word(from), word(to)];
  return isTrap
    ? { address, topics: [...topics, word(quantity(units))], data: '0x' }
    : { address, topics, data: word(quantity(units)) };
}

/** A trap's value is sent by a call below one that failed, so it is reverted. */
function frameOf({ to, units, isTrap = false }: ValueTransfer): Frame {
  const value = quantity(units);
  if (!isTrap) return { type: 'CALL', from: CONTRACT, to, value };
  const inner: Frame = { type: 'CALL', from: CONTRACT, to, value };
  return {
    type: 'CALL',
    from: CONTRACT,
    to: CONTRACT,
    value: '0x0',
    error: 'execution reverted',
    calls: [inner],
  };
}

interface Place {
  readonly number: number;
  readonly parentHash: string;
  readonly time: number;
  readonly salt: number;
}

function evmBlock({ number, parentHash, time, salt }: Place, made: readonly EvmTransaction[]): EvmBlock {
  const transactions = made.map(({ tx }) => tx);
  const bare = bareReceipts(made);
  const fields = {
    parentHash,
    sha3Uncles: ZERO_HASH,
    miner: CONTRACT,
    stateRoot: ZERO_HASH,
    transactionsRoot: transactionsRoot(transactions).root,
    receiptsRoot: receiptsRoot(bare),
    logsBloom: NO_BLOOM,
    difficulty: '0x0',
    number: quantity(number),
    gasLimit: '0x1c9c380',
    gasUsed: quantity(made.reduce((sum, { gas }) => sum + gas, 0)),
    timestamp: quantity(time),
    // Makes two blocks of the same height with the same content differ.
    extraData: word(quantity(salt)),
    mixHash: ZERO_HASH,
    nonce: '0x0000000000000000',
  };
  const numbers = new Set(['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp']);
  const items = Object.entries(fields).map(([name, value]) =>
    numbers.has(name) ? rlpQuantity(value) : rlpData(value),
  );
  const hash = `0x${keccakOfHex(rlpList(items.join('')))}`;
  const receipts = bare.map((receipt) => ({
    ...receipt,
    blockHash: hash,
    logs: receipt.logs.map((log) => ({ ...log, blockHash: hash })),
  }));
  return { header: { ...fields, hash }, transactions, receipts, frames: made.map(({ frame }) => frame) };
}

function bareReceipts(made: readonly EvmTransaction[]): readonly RawReceipt[] {
  let gasTotal = 0;
  let logIndex = 0;
  return made.map(({ tx, status, gas, logs }, index) => {
    gasTotal += gas;
    return {
      transactionHash: tx.hash,
      transactionIndex: quantity(index),
      blockHash: ZERO_HASH,
      status,
      cumulativeGasUsed: quantity(gasTotal),
      logsBloom: NO_BLOOM,
      logs: logs.map((log) => ({
        ...log,
        blockHash: ZERO_HASH,
        transactionHash: tx.hash,
        logIndex: quantity(logIndex++),
      })),
    };
  });
}

export function quantity(value: bigint | number): string {
  return `0x${value.toString(16)}`;
}

/** 32 bytes, filled up from the left. */
export function word(hex: string): string {
  return `0x${hex.slice(2).padStart(64, '0')}`;
}
