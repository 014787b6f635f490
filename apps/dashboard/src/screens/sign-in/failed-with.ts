// What a form says where a person proved who they are, and it failed.
import { Refusal } from '../../api/refusal.ts';

/**
 * One sentence for everything that can be wrong with a sign-in, so that it does not show which part was wrong. Undefined
 * for a lock, an outage and a session that ended, which have sentences of their own.
 */
export function failedWith(error: unknown, sentence: string): string | undefined {
  return error instanceof Refusal && error.status === 400 ? sentence : undefined;
}
