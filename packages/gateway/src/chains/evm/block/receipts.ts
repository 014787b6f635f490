// The receipts of a block in the bytes that its receipts root covers, and the token transfers in their logs.
import type { Currency } from '@ducat/core/chain/currency';
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import type { JsonTape, Place } from '../../rpc/json-tape.ts';
import { fieldOf, listOf, numberOf, writeData, writeQuantity, writeText } from './hex-fields.ts';
import { RlpWriter } from './rlp-writer.ts';
import { typeOf } from './transactions.ts';
import type { PackedValues } from './trie-root.ts';

/** keccak256("Transfer(address,address,uint256)"). */
export const transferTopic = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

const topicBytes = Buffer.from(transferTopic, 'hex');
const wordBytes = 32;
const addressBytes = 20;
/** A topic is its length and its word. */
const topicItem = 1 + wordBytes;
/** Room for the first receipts: each takes 300 bytes and more, and a block has a few hundred. */
const firstRoom = 256 * 1024;

/** A transfer of an asked-for currency by a transaction. */
export interface Moved {
  readonly currency: Currency;
  /** Counts only the logs of its own receipt, so it does not change when the transaction is included again elsewhere. */
  readonly position: string;
  readonly from: string;
  readonly to: string;
  readonly units: bigint;
}

export interface Receipt {
  readonly succeeded: boolean;
  readonly gasUsed: number;
  /** The token transfers by Transfer logs; empty where the transaction failed. */
  readonly moved: readonly Moved[];
}

/** Takes receipts one after the other, so that a large block's receipts are not held at once. */
export class Receipts implements PackedValues {
  readonly all: Receipt[] = [];
  readonly ends: number[] = [];
  readonly #rlp = new RlpWriter(firstRoom);
  readonly #tokens: ReadonlyMap<string, Currency>;
  #gasTotal = 0;

  constructor(currencies: readonly Currency[]) {
    const byContract = currencies.map((one) => [one.contract?.toLowerCase() ?? '', one] as const);
    this.#tokens = new Map(byContract);
  }

  get bytes(): Buffer {
    return this.#rlp.bytes;
  }

  /** The receipt of the next transaction. Throws Outage 'invalid' where it is none. */
  add(tape: JsonTape, receipt: Place): void {
    const rlp = this.#rlp;
    const status = numberOf(tape, receipt, 'status');
    if (status > 1) throw invalidAnswer('answered with a receipt of an unknown status');
    const type = typeOf(tape, receipt);
    if (type !== null && type > 0) rlp.byte(type);
    const mark = rlp.open();
    writeQuantity(rlp, tape, receipt, 'status');
    writeQuantity(rlp, tape, receipt, 'cumulativeGasUsed');
    writeData(rlp, tape, receipt, 'logsBloom');
    const moved = this.#addLogs(tape, listOf(tape, fieldOf(tape, receipt, 'logs')));
    rlp.close(mark);
    this.ends.push(rlp.length);
    // The root covers the running total of gas, but not the gas of one transaction.
    const gasTotal = numberOf(tape, receipt, 'cumulativeGasUsed');
    this.all.push({
      succeeded: status === 1,
      gasUsed: gasTotal - this.#gasTotal,
      moved: status === 1 ? moved : none,
    });
    this.#gasTotal = gasTotal;
  }

  #addLogs(tape: JsonTape, logs: readonly Place[]): readonly Moved[] {
    const mark = this.#rlp.open();
    let moved: Moved[] | null = null;
    for (const [index, log] of logs.entries()) {
      const one = this.#addLog(tape, log, index);
      if (one !== null) (moved ??= []).push(one);
    }
    this.#rlp.close(mark);
    return moved ?? none;
  }

  /** The token transfer that the log is; null for any other log, however similar. */
  #addLog(tape: JsonTape, log: Place, index: number): Moved | null {
    const rlp = this.#rlp;
    const mark = rlp.open();
    const addressAt = rlp.length + 1;
    const isAddress = writeData(rlp, tape, log, 'address') === addressBytes;
    const topics = listOf(tape, fieldOf(tape, log, 'topics'));
    const list = rlp.open();
    for (const topic of topics)
      if (writeText(rlp, tape, topic) !== wordBytes)
        throw invalidAnswer('answered with a topic of another length');
    rlp.close(list);
    const topicsAt = rlp.length - topics.length * topicItem;
    const isWord = writeData(rlp, tape, log, 'data') === wordBytes;
    // ERC-721 shares the first topic but indexes the token id too, and some tokens index nothing.
    const isLike = isAddress && isWord && topics.length === 3;
    const moved = isLike ? this.#movedAt(addressAt, topicsAt, index) : null;
    rlp.close(mark);
    return moved;
  }

  /** Reads from the bytes that the root covers. The data was written last, so it ends the bytes. */
  #movedAt(addressAt: number, topicsAt: number, index: number): Moved | null {
    const { bytes, length } = this.#rlp;
    const [name, from, to] = [topicsAt + 1, topicsAt + topicItem + 1, topicsAt + 2 * topicItem + 1];
    if (topicBytes.compare(bytes, name, name + wordBytes) !== 0) return null;
    const currency = this.#tokens.get(hexAt(bytes, addressAt, addressBytes));
    if (currency === undefined || !isAddressWord(bytes, from) || !isAddressWord(bytes, to)) return null;
    const units = BigInt(hexAt(bytes, length - wordBytes, wordBytes));
    if (units === 0n) return null;
    const position = `log:${index}`;
    return { currency, position, from: addressIn(bytes, from), to: addressIn(bytes, to), units };
  }
}

const none: readonly Moved[] = [];

function isAddressWord(bytes: Buffer, at: number): boolean {
  for (let place = at; place < at + wordBytes - addressBytes; place++) if (bytes[place] !== 0) return false;
  return true;
}

function addressIn(bytes: Buffer, wordAt: number): string {
  return hexAt(bytes, wordAt + wordBytes - addressBytes, addressBytes);
}

function hexAt(bytes: Buffer, at: number, size: number): string {
  return `0x${bytes.toString('hex', at, at + size)}`;
}
