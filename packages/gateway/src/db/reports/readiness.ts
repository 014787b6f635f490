// Whether the gateway can do its work: one rule for every role that is asked, with the state of each chain beside it.
import { type CurrencySuspension, readSuspensions } from '../tables/books/currency-suspensions.ts';
import { readCursors } from '../tables/cursors.ts';
import type { Database } from '../postgres/tx.ts';

/** How old the newest block of a chain may be, in seconds, before the chain is listed as not ready. */
const MAX_HEAD_AGE_S = 300;

export interface ChainReadiness {
  /** It runs, and its newest block is fresh. */
  readonly ready: boolean;
  readonly head: number | null;
  readonly headAgeS: number | null;
  /** Why it waits for a human; null while it runs. For the operator, not for merchants. */
  readonly haltedReason: string | null;
}

export interface Readiness {
  /** False only while the database is away or answers no COMMIT: a chain that stands still leaves everybody else at work (decision 0007). */
  readonly ready: boolean;
  readonly database: boolean;
  readonly chains: Readonly<Record<string, ChainReadiness>>;
  /** Currencies that take no new orders until an operator resumes them. */
  readonly suspended: readonly CurrencySuspension[];
}

/** How long one of our COMMITs may be without an answer, in seconds, before the database counts as away. */
const MAX_COMMIT_WAIT_S = 10;

/** How long a request may be kept waiting, in milliseconds: no answer by then is an answer. */
export const READINESS_WITHIN_MS = 1_500;

/** What is said while the database is away. */
export const DATABASE_AWAY: Readiness = { ready: false, database: false, chains: {}, suspended: [] };

/** Looks one at a time: a request that comes meanwhile gets the answer of the look that is under way. */
export function oneAtATime<T>(look: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | null = null;
  return () => {
    underWay ??= look().finally(() => {
      underWay = null;
    });
    return underWay;
  };
}

/** Reads it for the named chains; `now` in Unix seconds. Never rejects. */
export async function readReadiness(
  { reader, answersCommits }: Pick<Database, 'reader' | 'answersCommits'>,
  chains: readonly string[],
  now: number,
): Promise<Readiness> {
  // While a COMMIT waits for its standby, or for a disk that stands still, reads go on as ever.
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
