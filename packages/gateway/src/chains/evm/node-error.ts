// Errors that an EVM node itself answers, and the kind of outage that each one is.
import { Outage, type OutageKind } from '../../runtime/outage.ts';
import { AnswerTooLarge, tooLargeByMessage } from '../rpc/answer-too-large.ts';
import type { JsonTape, Place } from '../rpc/json-tape.ts';

const noMethod = -32601;
const resourceNotFound = -32001;
const limitExceeded = new Set([-32005, 429]);
// Codes for a request that the node could not read, has no method for, or refused to serve.
const notServed = new Set([-32700, -32600, noMethod]);

const saysNoMethod =
  /method[^.]{0,60} (?:not found|not supported|not available|not allowed|does not exist)|unsupported method/i;
const saysThrottled = /rate limit|too many requests|exceeded[^.]{0,40} (?:capacity|quota)|compute units/i;
// Texts of geth and its kin, reth, Nethermind, Besu and Erigon, and of providers that sell historical state apart.
const saysPruned =
  /historical state|missing trie node|no state available|world state unavailable|state (?:at block )?\S{1,80} is (?:not available|pruned)|(?:history|block)[^.]{0,60} pruned|archive (?:node|mode|data|request)/i;
const saysMissing =
  /(?:header|block|transaction)[^.]{0,40} not found|(?:cannot|can't|could ?n[o']t) find|(?:unknown|no such) (?:block|header|transaction)|not (?:yet )?indexed|indexing is in progress/i;
/** The data of a call that reverted. Some nodes write a word before it. */
const revertedWith = /^(?:Reverted )?0x(?:[0-9a-fA-F]{2})*$/;

/** The node understood the request and answered with an error of its own. */
export class NodeError extends Outage {
  readonly code: number;
  /** Whether the error carries the data with which a call reverted. */
  readonly hasReverted: boolean;

  constructor(message: string, kind: OutageKind, code: number, hasReverted: boolean) {
    super(message, { kind });
    this.code = code;
    this.hasReverted = hasReverted;
  }

  /** Whether the node executed the request and the request failed. Otherwise the node did not serve the request at all. */
  get isOfTheCall(): boolean {
    return this.kind === 'unavailable' && !notServed.has(this.code);
  }
}

/** `mask` keeps secrets of the provider's address out of the message. */
export function nodeError(tape: JsonTape, error: Place, mask: (text: string) => string): Outage {
  const textOf = (name: string): string | null => {
    const place = tape.field(error, name);
    return tape.isText(place) ? tape.text(place) : null;
  };
  const number = Number(tape.text(tape.field(error, 'code')));
  const text = mask(textOf('message') ?? 'no message');
  const hasReverted = revertedWith.test(textOf('data') ?? '');
  const whole = `answered error ${number}: ${text}`;
  // A call that reverted has a text of the contract's own, which says nothing about the node.
  if (hasReverted) return new NodeError(whole, 'unavailable', number, hasReverted);
  const tooLarge = tooLargeByMessage(text);
  if (tooLarge !== null) return new AnswerTooLarge(whole, tooLarge);
  if (limitExceeded.has(number) || saysThrottled.test(text)) return new Outage(whole, { kind: 'throttled' });
  return new NodeError(whole, kindOf(number, text), number, hasReverted);
}

function kindOf(code: number, text: string): OutageKind {
  if (code === noMethod || saysNoMethod.test(text) || saysPruned.test(text)) return 'unsupported';
  return code === resourceNotFound || saysMissing.test(text) ? 'not-yet' : 'unavailable';
}
