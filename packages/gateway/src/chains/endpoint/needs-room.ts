// An answer that is larger than what may be read beside others: asked for again when nothing else is held.
import { Outage } from '../../runtime/outage.ts';

/** Nobody's failure; whoever asked takes the lane of the endpoint, with wider bounds. */
export class NeedsRoom extends Outage {
  constructor(reason: string) {
    super(reason, { retryable: true });
  }
}
