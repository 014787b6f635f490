// After how long a page asks the same question again.
import { Refusal } from './refusal.ts';

/** Milliseconds; false for never: a request whose field was refused is refused again, however often it is sent. */
export function askAgainAfter(everyMs: number, error: Error | null): number | false {
  return error instanceof Refusal && error.code === 'field-invalid' ? false : everyMs;
}
