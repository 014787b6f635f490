// An endpoint that has not come as far as it was asked for, which is a matter of moments.
import { Outage } from '../../runtime/outage.ts';

/** The endpoint does not have the block yet, and says so: nobody's failure. */
export class BehindHead extends Outage {
  constructor(block: number | string) {
    super(`does not have block ${block} yet`, { retryable: true });
  }
}
