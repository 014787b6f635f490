// An answer that is too large or takes too long: asking for less at once may get through.
import { Outage } from '../../outage.ts';

// What nodes and the gateways before them say when it is they who give up.
const nodeGivesUp = /time[d ]{0,2}[- ]?out|deadline exceeded|too (?:big|large)|(?:response|result) size/i;
const gatewayGivesUp = new Set([408, 413, 504, 524]);

/** By our own limits or by the node's. Payers decide how large a block is, so this alone is no fault of a node. */
export class TooMuch extends Outage {
  constructor(reason: string) {
    super(reason, { retryable: true });
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
