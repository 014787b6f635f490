// A provider that has had enough of our questions: it is left alone at once, not after the third refusal.
import { Outage } from '../../outage.ts';

/** The endpoint refuses to answer so often. */
export class Throttled extends Outage {
  constructor(reason: string) {
    super(reason, { retryable: true });
  }
}
