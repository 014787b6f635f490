// An answer that is larger than we take or the provider gives, or that takes too long: asking for less may get through.
import { Outage } from '../../runtime/outage.ts';

const ranOutOfTime = /time[d ]{0,2}[- ]?out|deadline exceeded/i;
const isTooLarge = /too (?:big|large)|(?:response|result) size/i;
const contentTooLarge = 413;
const gatewayGaveUp = new Set([408, 504, 524]);

/** Payers decide how large a block is, so the provider may be right; what cannot be asked for in parts stays invalid. */
export class AnswerTooLarge extends Outage {
  /** Whether time ran out, which may as well be trouble of the provider. */
  readonly isLate: boolean;

  constructor(message: string, { isLate = false } = {}) {
    super(message, { kind: isLate ? 'unavailable' : 'invalid' });
    this.isLate = isLate;
  }
}

/** Where the provider's own error says so, else null. */
export function tooLargeByMessage(message: string): AnswerTooLarge | null {
  if (ranOutOfTime.test(message)) return new AnswerTooLarge(message, { isLate: true });
  return isTooLarge.test(message) ? new AnswerTooLarge(message) : null;
}

/** Where the HTTP status says so, else null. */
export function tooLargeByStatus(status: number): AnswerTooLarge | null {
  if (status === contentTooLarge) return new AnswerTooLarge(`answered HTTP ${status}`);
  return gatewayGaveUp.has(status) ? new AnswerTooLarge(`answered HTTP ${status}`, { isLate: true }) : null;
}
