// Watches the calls inside one execution: internal transactions, and the energy penalty of each contract.
import type { EVMResult, Message } from '@ethereumjs/evm';
import { keccak256 } from '../protocol/hash.ts';
import { bytesToHex, numberToHex, textToHex } from '../protocol/hex.ts';
import type { InternalTransaction } from '../protocol/messages.ts';

interface Frame {
  /** The index in the list at which the entries of this frame and of all calls below it begin. Its own entry is first. */
  readonly firstEntry: number;
  readonly codeAddress: string;
  childEnergy: bigint;
}

export interface RecorderContext {
  readonly txId: string;
  /** Penalty factor of a contract, in parts of 10,000. */
  readonly factorOf: (address: string) => bigint;
  readonly isPrecompile: (message: Message) => boolean;
}

/** Records the messages of one execution. It is called before and after each of them, in order. */
export class CallRecorder {
  penalty = 0n;
  readonly #context: RecorderContext;
  readonly #entries: { value: InternalTransaction; rejected: boolean }[] = [];
  readonly #frames: Frame[] = [];
  #nonce = 0n;

  constructor(context: RecorderContext) {
    this.#context = context;
  }

  /** Internal transactions in the order they were made; all of them rejected where the whole call failed. */
  entries(hasFailed: boolean): readonly InternalTransaction[] {
    return this.#entries.map(({ value, rejected }) => ({ ...value, rejected: rejected || hasFailed }));
  }

  /** A number that no other creation of this transaction has. */
  nextNonce(): bigint {
    this.#nonce += 1n;
    return this.#nonce;
  }

  before(message: Message, created: string | null): void {
    const firstEntry = this.#entries.length;
    const to = created ?? addressOf(message.to);
    if (message.depth > 0 && !this.#context.isPrecompile(message)) {
      const from = message.delegatecall ? to : addressOf(message.caller);
      const value = message.delegatecall ? 0n : message.value;
      this.#push(from, to, value, created === null ? 'call' : 'create', message.data);
    }
    this.#frames.push({
      firstEntry,
      codeAddress: created ?? addressOf(message.codeAddress),
      childEnergy: 0n,
    });
  }

  after(result: EVMResult): void {
    const frame = this.#frames.pop();
    if (frame === undefined) throw new Error('a message ended that never began');
    const energy = result.execResult.executionGasUsed;
    const own = energy - frame.childEnergy;
    this.penalty += (own * this.#context.factorOf(frame.codeAddress)) / 10_000n;
    const parent = this.#frames.at(-1);
    if (parent !== undefined) parent.childEnergy += energy;
    if (result.execResult.exceptionError === undefined) return;
    for (const entry of this.#entries.slice(frame.firstEntry)) entry.rejected = true;
  }

  /** A contract that destroys itself sends its balance away; the EVM has no message for that. */
  suicide(from: string, to: string, value: bigint): void {
    this.#push(from, to, value, 'suicide', new Uint8Array());
  }

  #push(from: string, to: string, value: bigint, note: string, data: Uint8Array): void {
    const nonce = numberToHex(this.nextNonce(), 8);
    this.#entries.push({
      rejected: false,
      value: {
        hash: keccak256(this.#context.txId + from + to + bytesToHex(data) + nonce),
        caller_address: from,
        transferTo_address: to,
        callValueInfo: [{ callValue: value, tokenId: '' }],
        note: textToHex(note),
        rejected: false,
      },
    });
  }
}

function addressOf(address: Message['to']): string {
  return address === undefined ? '' : `41${bytesToHex(address.bytes)}`;
}
