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

const wordDigits = 64;
/** The topic of an address begins with so many zeros. */
const padding = '0'.repeat(24);
/** A receipt of 300 bytes and more, of which a block has a few hundred. */
const firstRoom = 256 * 1024;

/** Value of a currency that is looked for, as a transaction moved it. */
export interface Moved {
  readonly currency: Currency;
  /** Counts the logs of its receipt alone, so it does not change when the transaction is included again elsewhere. */
  readonly position: string;
  readonly from: string;
  readonly to: string;
  readonly units: bigint;
}

export interface Receipt {
  readonly succeeded: boolean;
  readonly gasUsed: number;
  /** By the token's Transfer logs; nothing where it failed. */
  readonly moved: readonly Moved[];
}

/** Takes receipts one after the other, so that those of a large block need not be held at once. */
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
    // The gas of one transaction is not in the root, the running total is.
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

  /** The Transfer that the log is, from the digits that were written; null for anything else, whatever it looks like. */
  #addLog(tape: JsonTape, log: Place, index: number): Moved | null {
    const rlp = this.#rlp;
    const mark = rlp.open();
    const address = writeData(rlp, tape, log, 'address');
    const list = rlp.open();
    const topics = listOf(tape, fieldOf(tape, log, 'topics')).map((topic) => writeText(rlp, tape, topic));
    rlp.close(list);
    const data = writeData(rlp, tape, log, 'data');
    rlp.close(mark);
    if (topics.some(({ length }) => length !== wordDigits))
      throw invalidAnswer('answered with a topic of another length');
    // ERC-721 shares the first topic but indexes the token id too, and some tokens index nothing.
    if (topics.length !== 3 || data.length !== wordDigits) return null;
    const [name, from = '', to = ''] = topics.map((topic) => topic.toLowerCase());
    const currency = name === transferTopic ? this.#tokens.get(`0x${address.toLowerCase()}`) : undefined;
    if (currency === undefined || !from.startsWith(padding) || !to.startsWith(padding)) return null;
    const units = BigInt(`0x${data}`);
    if (units === 0n) return null;
    return { currency, position: `log:${index}`, from: addressIn(from), to: addressIn(to), units };
  }
}

const none: readonly Moved[] = [];

function addressIn(word: string): string {
  return `0x${word.slice(padding.length)}`;
}
