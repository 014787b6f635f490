// An answer that exceeds our limit or the provider's, or takes too long. Asking for less may get through.
import { Outage } from '../../runtime/outage.ts';

const ranOutOfTime = /time[d ]{0,2}[- ]?out|deadline exceeded/i;
const isTooLarge = /too (?:big|large)|(?:response|result) size/i;
const contentTooLarge = 413;
const gatewayGaveUp = new Set([408, 504, 524]);

/**
 * Payers decide how large a block is, so the provider may be right. An answer that cannot be asked for in parts stays
 * invalid.
 */
export class AnswerTooLarge extends Outage {
  /** Whether time ran out, which may also be a fault of the provider. */
  readonly isLate: boolean;

  constructor(message: string, { isLate = false } = {}) {
    super(message, { kind: isLate ? 'unavailable' : 'invalid' });
    this.isLate = isLate;
  }
}

/** The error where the text of the provider's error says so, else null. */
export function tooLargeByMessage(message: string): AnswerTooLarge | null {
  if (ranOutOfTime.test(message)) return new AnswerTooLarge(message, { isLate: true });
  return isTooLarge.test(message) ? new AnswerTooLarge(message) : null;
}

/** The error where the HTTP status says so, else null. */
export function tooLargeByStatus(status: number): AnswerTooLarge | null {
  if (status === contentTooLarge) return new AnswerTooLarge(`answered HTTP ${status}`);
  return gatewayGaveUp.has(status) ? new AnswerTooLarge(`answered HTTP ${status}`, { isLate: true }) : null;
}
