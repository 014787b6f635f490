// A question that has no answer, by nobody's fault: no reason to rest an endpoint, and none to ask again soon.
import { Outage } from '../../runtime/outage.ts';

/** The endpoint works, but what was asked cannot be answered: a token that is not there, a call that fails. */
export class Unanswerable extends Outage {
  constructor(reason: string) {
    super(reason, { retryable: false });
  }
}
