// One block that cannot be read, by what is in it: no reason to rest an endpoint, which may well show all the others.
import { Outage } from '../../runtime/outage.ts';

/** The endpoint works, and payers decide what is in a block: whoever is not paid would wait for nothing. */
export class UnreadableBlock extends Outage {
  constructor(reason: string) {
    super(reason, { retryable: true, kind: 'unreadable-block' });
  }
}
