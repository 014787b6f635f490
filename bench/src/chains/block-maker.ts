// Makes blocks of an EVM chain with correct roots and hashes, so that a reader has to prove each block completely.
import { receiptsRoot, transactionsRoot } from '@ducat/testkit/chains/evm/blocks/block-roots';
import { keccakOfHex } from '@ducat/testkit/chains/evm/blocks/keccak';
import type { RawReceipt, RawTransaction } from '@ducat/testkit/chains/evm/blocks/raw-block';
import { rlpData, rlpList, rlpQuantity } from '@ducat/testkit/chains/evm/blocks/rlp-hex';
import { transferTopic } from '@ducat/gateway/chains/evm/block/receipts';

/** A block as the answers of a node, each the text of a `result`. */
export interface MadeBlock {
  readonly number: number;
  readonly hash: string;
  readonly header: string;
  readonly block: string;
  readonly receipts: string;
  readonly traces: string;
}

/** What one transaction does. */
export interface Spend {
  readonly to: string;
  readonly units: bigint;
  /** The token's contract, or null for the chain's own coin. */
  readonly token: string | null;
}

export interface BlockPlan {
  readonly chainId: number;
  readonly number: number;
  readonly parentHash: string;
  /** Unix seconds. */
  readonly time: number;
  readonly spends: readonly Spend[];
}

const plainGas = 21_000;
const tokenGas = 46_109;
const zeroes = (bytes: number) => `0x${'0'.repeat(bytes * 2)}`;
const word = (hex: string) => hex.padStart(64, '0');
const quantity = (value: number | bigint) => `0x${value.toString(16)}`;
/** As dense as the bloom of a busy block; a reader proves the logs themselves. */
const bloom = `0x${'20080010c0408001'.repeat(32)}`;

export function makeBlock(plan: BlockPlan): MadeBlock {
  const transactions = plan.spends.map((spend, index) => transactionOf(plan, spend, index));
  const { root, ids } = transactionsRoot(transactions);
  const receipts = receiptsOf(plan.spends);
  const { fields, hash } = headerOf(plan, root, receiptsRoot(receipts));
  const at = { blockHash: hash, blockNumber: quantity(plan.number) };
  const placed = (index: number) => ({ ...at, transactionIndex: quantity(index) });
  let logIndex = 0;
  const header = { ...fields, hash, size: '0x20000', uncles: [], withdrawals: [] };
  return {
    number: plan.number,
    hash,
    header: JSON.stringify({ ...header, transactions: ids }),
    block: JSON.stringify({
      ...header,
      transactions: transactions.map((transaction, index) => ({
        ...transaction,
        hash: ids[index],
        ...placed(index),
      })),
    }),
    receipts: JSON.stringify(
      receipts.map((receipt, index) => ({
        ...receipt,
        ...placed(index),
        transactionHash: ids[index],
        from: transactions[index]?.from,
        to: transactions[index]?.to,
        contractAddress: null,
        effectiveGasPrice: '0x3b9aca00',
        logs: receipt.logs.map((log) => ({
          ...log,
          ...placed(index),
          transactionHash: ids[index],
          logIndex: quantity(logIndex++),
          removed: false,
        })),
      })),
    ),
    traces: JSON.stringify(
      transactions.map((transaction, index) => ({ txHash: ids[index], result: frameOf(transaction) })),
    ),
  };
}

/** A text like a hash, different for each index and each purpose. */
function made(purpose: string, plan: BlockPlan, index: number): string {
  return keccakOfHex(
    word(`${Buffer.from(`${purpose} ${plan.number} ${index}`).toString('hex')}`.slice(0, 64)),
  );
}

function transactionOf(plan: BlockPlan, { to, units, token }: Spend, index: number): RawTransaction {
  const gas = token === null ? plainGas : 65_000;
  return {
    hash: zeroes(32),
    type: '0x2',
    chainId: quantity(plan.chainId),
    nonce: quantity(plan.number),
    gas: quantity(gas),
    gasPrice: '0x3b9aca00',
    maxFeePerGas: '0x77359400',
    maxPriorityFeePerGas: '0x3b9aca00',
    from: `0x${made('from', plan, index).slice(24)}`,
    to: token ?? to,
    value: token === null ? quantity(units) : '0x0',
    input: token === null ? '0x' : `0xa9059cbb${word(to.slice(2))}${word(units.toString(16))}`,
    accessList: [],
    v: '0x1',
    yParity: '0x1',
    r: `0x1${made('r', plan, index).slice(1)}`,
    s: `0x1${made('s', plan, index).slice(1)}`,
  };
}

const unplaced = { blockHash: '', transactionHash: '', logIndex: '' };

/** Receipts with the fields that the root covers. The other fields are filled in once the block's hash is known. */
function receiptsOf(spends: readonly Spend[]): readonly (RawReceipt & { readonly gasUsed: string })[] {
  let gasTotal = 0;
  return spends.map(({ to, units, token }, index) => {
    const gasUsed = token === null ? plainGas : tokenGas;
    gasTotal += gasUsed;
    const topics = [
      `0x${transferTopic}`,
      `0x${word((index + 1).toString(16).padStart(40, 'b'))}`,
      `0x${word(to.slice(2))}`,
    ];
    return {
      type: '0x2',
      status: '0x1',
      transactionHash: '',
      transactionIndex: '',
      blockHash: '',
      cumulativeGasUsed: quantity(gasTotal),
      gasUsed: quantity(gasUsed),
      logsBloom: token === null ? zeroes(256) : bloom,
      logs:
        token === null
          ? []
          : [{ ...unplaced, address: token, topics, data: `0x${word(units.toString(16))}` }],
    };
  });
}

function headerOf(plan: BlockPlan, transactionsRootHash: string, receiptsRootHash: string) {
  const data: Readonly<Record<string, string>> = {
    parentHash: plan.parentHash,
    sha3Uncles: `0x${word('1dcc4de8')}`,
    miner: `0x${'c'.repeat(40)}`,
    stateRoot: `0x${word('57a7e')}`,
    transactionsRoot: transactionsRootHash,
    receiptsRoot: receiptsRootHash,
    logsBloom: bloom,
  };
  const counts: Readonly<Record<string, string>> = {
    difficulty: '0x0',
    number: quantity(plan.number),
    gasLimit: quantity(60_000_000),
    gasUsed: quantity(plan.spends.length * 30_000),
    timestamp: quantity(plan.time),
  };
  const tail: Readonly<Record<string, string>> = { extraData: '0x', mixHash: zeroes(32), nonce: zeroes(8) };
  const baseFeePerGas = '0x3b9aca00';
  const items = [
    ...Object.values(data).map(rlpData),
    ...Object.values(counts).map(rlpQuantity),
    ...Object.values(tail).map(rlpData),
    rlpQuantity(baseFeePerGas),
  ];
  const hash = `0x${keccakOfHex(rlpList(items.join('')))}`;
  return { fields: { ...data, ...counts, ...tail, baseFeePerGas }, hash };
}

function frameOf({ from, to, value, input }: RawTransaction) {
  return { type: 'CALL', from, to, value, input, output: '0x', gas: '0xfde8', gasUsed: '0xb41d' };
}
