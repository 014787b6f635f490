// Whether the gateway can do its work: one rule for every role, with the state of each chain.
import { type CurrencySuspension, readSuspensions } from '../tables/books/currency-suspensions.ts';
import { readCursors } from '../tables/cursors.ts';
import type { Database } from '../postgres/tx.ts';

/** How old the newest block of a chain may be, in seconds, before the chain is listed as not ready. */
const MAX_HEAD_AGE_S = 300;

export interface ChainReadiness {
  /** The chain is not halted, and its newest block is fresh. */
  readonly ready: boolean;
  readonly head: number | null;
  readonly headAgeS: number | null;
  /** Why the chain waits for a human; null while it runs. For the operator, not for merchants. */
  readonly haltedReason: string | null;
}

export interface Readiness {
  /** False only while the database is away or answers no COMMIT. A halted chain does not stop the others (decision 0007). */
  readonly ready: boolean;
  readonly database: boolean;
  readonly chains: Readonly<Record<string, ChainReadiness>>;
  /** Currencies that take no new orders until an operator resumes them. */
  readonly suspended: readonly CurrencySuspension[];
}

/** How long one of our COMMITs may be without an answer, in seconds, before the database counts as away. */
const MAX_COMMIT_WAIT_S = 10;

/** How long a request may wait, in milliseconds. No answer by then counts as an answer. */
export const READINESS_WITHIN_MS = 1_500;

/** The answer while the database is away. */
export const DATABASE_AWAY: Readiness = { ready: false, database: false, chains: {}, suspended: [] };

/** Runs `look` once at a time. A request that arrives meanwhile gets the result of the running one. */
export function oneAtATime<T>(look: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | null = null;
  return () => {
    underWay ??= look().finally(() => {
      underWay = null;
    });
    return underWay;
  };
}

/** The readiness of the named chains; `now` in Unix seconds. Never rejects. */
export async function readReadiness(
  { reader, answersCommits }: Pick<Database, 'reader' | 'answersCommits'>,
  chains: readonly string[],
  now: number,
): Promise<Readiness> {
  // Reads still work while COMMITs wait for a standby, or for a disk that stands still, so they prove nothing here.
  if (!answersCommits(now, MAX_COMMIT_WAIT_S)) return DATABASE_AWAY;
  let cursors: Awaited<ReturnType<typeof readCursors>>;
  let suspended: readonly CurrencySuspension[];
  try {
    cursors = await readCursors(reader);
    suspended = await readSuspensions(reader);
  } catch {
    return DATABASE_AWAY;
  }
  const states = chains.map((name): [string, ChainReadiness] => {
    const cursor = cursors.get(name);
    const headTime = cursor?.headTime ?? null;
    const headAgeS = headTime === null ? null : now - headTime;
    const haltedReason = cursor?.haltedReason ?? null;
    const ready = haltedReason === null && headAgeS !== null && headAgeS <= MAX_HEAD_AGE_S;
    return [name, { ready, head: cursor?.head?.number ?? null, headAgeS, haltedReason }];
  });
  return { ready: true, database: true, chains: Object.fromEntries(states), suspended };
}
