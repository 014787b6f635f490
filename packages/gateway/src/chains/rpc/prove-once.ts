// The identity of a provider is proven before its first answer is used, and again after each failure.
import { Outage } from '../../runtime/outage.ts';
import { invalidAnswer } from './invalid-answer.ts';

/**
 * Runs work against a provider whose identity is proven. Throws the Outage of the proof or of the work; whatever else
 * goes wrong does so by what the provider answered, so it is 'invalid'.
 */
export type Proven<Api> = <T>(work: (api: Api) => Promise<T>) => Promise<T>;

/** What answers after a failure may be another node behind the same address. */
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
      // A proof that failed proves nothing, whatever it failed by: kept, it would be the answer to every call from now on.
      const isKept = isProven && staysProven.has(outage.kind);
      if (proof === mine && !isKept) proof = null;
      throw outage;
    }
  };
}

/** The provider works, and says something about the question alone. */
const staysProven: ReadonlySet<Outage['kind']> = new Set(['not-yet', 'unsupported', 'throttled']);
