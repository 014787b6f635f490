// The trouble of a transaction that the signer refused, as it is stored and shown.
import type { SignRefusal } from '../signing/sign-answer.ts';

const BEGINNING = 'the signer refuses: ';

export function refusalText(reason: SignRefusal): string {
  return `${BEGINNING}${reason}`;
}

/** The reason in a stored trouble; null where the trouble is another one, or there is none. */
export function refusalIn(trouble: string | null): string | null {
  return trouble?.startsWith(BEGINNING) === true ? trouble.slice(BEGINNING.length) : null;
}
