// An answer that is too large or takes too long: asking for less at once may get through.
import { Outage } from '../../runtime/outage.ts';

// What nodes and the gateways before them say when it is they who give up.
const ranOutOfTime = /time[d ]{0,2}[- ]?out|deadline exceeded/i;
const isTooLarge = /too (?:big|large)|(?:response|result) size/i;
const tooLarge = 413;
const gatewayGivesUp = new Set([408, tooLarge, 504, 524]);

/** How it is known: by what we counted ourselves, by the node's word, or as time ran out. Only the first is proof. */
export type TooMuchBy = 'count' | 'word' | 'time';

/** By our own limits or by the node's. Payers decide how large a block is, so this alone is no fault of a node. */
export class TooMuch extends Outage {
  readonly by: TooMuchBy;

  constructor(reason: string, by: TooMuchBy = 'count') {
    super(reason, { retryable: true });
    this.by = by;
  }

  /** Whether it was time that ran out, which may as well be the node's fault. */
  get isLate(): boolean {
    return this.by === 'time';
  }
}

/** How a node's error says that the answer was too much for it, or null. */
export function saysTooMuch(message: string): TooMuchBy | null {
  if (ranOutOfTime.test(message)) return 'time';
  return isTooLarge.test(message) ? 'word' : null;
}

/** Whether an HTTP status says that the answer was too much. */
export function meansTooMuch(status: number): boolean {
  return gatewayGivesUp.has(status);
}

/** TooMuch for such a status. */
export function tooMuchOf(status: number): TooMuch {
  return new TooMuch(`answered HTTP ${status}`, status === tooLarge ? 'word' : 'time');
}
