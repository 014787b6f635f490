// Which waiting transactions of a sender get its free nonces.
import { refusalIn } from './refusal.ts';

export interface Turn<T> {
  /** One for each free nonce at most, in the order of nonces. */
  readonly tried: readonly T[];
  /** The first that are not tried, one refused and one other. They keep their due times, so they are the first next time. */
  readonly next: readonly T[];
}

/**
 * `waiting` are in the order in which they fell due. One that the signer refused is prepared last, because a refusal takes
 * back all that is prepared behind it. The last nonce is kept for it, so that it is tried again behind any backlog. A single
 * free nonce goes to the one that is due longest.
 */
export function turnOf<T extends { readonly trouble: string | null }>(
  waiting: readonly T[],
  room: number,
): Turn<T> {
  const isRefused = ({ trouble }: T) => refusalIn(trouble) !== null;
  const again = waiting.filter(isRefused).slice(0, 1);
  const others = waiting.filter((one) => !isRefused(one));
  const tried =
    room === 1 ? waiting.slice(0, 1) : [...others.slice(0, room - again.length), ...again].slice(0, room);
  return { tried, next: [...others.slice(0, 1), ...again].filter((one) => !tried.includes(one)) };
}
