// Proves the identity of a provider before its first answer is used, and again after each failure.
import { Outage } from '../../runtime/outage.ts';
import { invalidAnswer } from './invalid-answer.ts';

/**
 * Runs work against a provider whose identity is proven. Throws the Outage of the proof or of the work. Any other error
 * comes from what the provider answered, so it becomes an Outage 'invalid'.
 */
export type Proven<Api> = <T>(work: (api: Api) => Promise<T>) => Promise<T>;

/** After a failure, another node may answer at the same address, so the proof is repeated. */
export function proveOnce<Api>(api: Api, prove: (api: Api) => Promise<void>): Proven<Api> {
  let proof: Promise<void> | null = null;
  return async (work) => {
    proof ??= prove(api);
    const mine = proof;
    let isProven = false;
    try {
      await mine;
      isProven = true;
      return await work(api);
    } catch (error) {
      const outage =
        error instanceof Outage ? error : invalidAnswer('answered with something that cannot be read', error);
      // A failed proof is never kept, whatever its error: it would be the answer to every later call.
      const isKept = isProven && staysProven.has(outage.kind);
      if (proof === mine && !isKept) proof = null;
      throw outage;
    }
  };
}

/** With these outages the provider works, and only this request could not be served. */
const staysProven: ReadonlySet<Outage['kind']> = new Set(['not-yet', 'unsupported', 'throttled']);
