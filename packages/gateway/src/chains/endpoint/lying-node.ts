// What a node said cannot be true: the kind of outage that takes the node out of use at once.
import { Outage, type OutageKind } from '../../runtime/outage.ts';

/** An answer that contradicts itself or the chain. Another endpoint is asked, and this one rests. */
export class LyingNode extends Outage {
  constructor(reason: string, cause?: unknown, kind: OutageKind = 'lying-node') {
    super(reason, { retryable: true, cause, kind });
  }
}
