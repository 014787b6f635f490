// A question that came at the wrong moment, such as while money moved: asked again later, and nobody's failure.
import { Outage, type OutageOptions } from '../../runtime/outage.ts';

/** The endpoint works and could not have answered that now. */
export class Untimely extends Outage {
  constructor(reason: string, options: Pick<OutageOptions, 'cause' | 'kind'> = {}) {
    super(reason, { ...options, retryable: true });
  }
}
