// An answer that is too large or takes too long: asking for less at once may get through.
import { Outage } from '../../outage.ts';

// What nodes and the gateways before them say when it is they who give up.
const nodeGivesUp = /time[d ]{0,2}[- ]?out|deadline exceeded|too (?:big|large)|(?:response|result) size/i;
const tooLarge = 413;
const gatewayGivesUp = new Set([408, tooLarge, 504, 524]);

/** By our own limits or by the node's. Payers decide how large a block is, so this alone is no fault of a node. */
export class TooMuch extends Outage {
  /** Whether it was time that ran out, which may as well be the node's fault. */
  readonly isLate: boolean;

  constructor(reason: string, isLate = false) {
    super(reason, { retryable: true });
    this.isLate = isLate;
  }
}

/** Whether a node's error says that the answer was too much for it. */
export function saysTooMuch(message: string): boolean {
  return nodeGivesUp.test(message);
}

/** Whether an HTTP status says that the answer was too much. */
export function meansTooMuch(status: number): boolean {
  return gatewayGivesUp.has(status);
}

/** TooMuch for such a status. */
export function tooMuchOf(status: number): TooMuch {
  return new TooMuch(`answered HTTP ${status}`, status !== tooLarge);
}
