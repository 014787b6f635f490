// Sorts the COMMITs of the gateway by what they do, so that each kind of them is cut as often as the others.
import type { Commit } from '@ducat/devnet/postgres/commits';

/** A COMMIT has the first of these kinds of which its transaction made at least one write. */
const kinds = {
  'order opened': ['insert orders'],
  'webhook claimed': ['insert delivery_attempts'],
  'webhook ended': ['update delivery_attempts'],
  'webhook given back': ['delete delivery_attempts'],
  'fork undone': ['insert reorgs'],
  'payment settled': ['insert postings'],
  'order expired': ['update orders'],
  'block accepted': ['insert blocks', 'update chain_cursors'],
  'addresses added or reused': ['insert addresses', 'update addresses'],
  'anything else': [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type CommitKind = keyof typeof kinds;

// Object.keys forgets what the keys are.
export const commitKinds = Object.keys(kinds) as readonly CommitKind[];

/** Null where a COMMIT is never cut on purpose: it wrote nothing, or only leases, which are renewed all the time. */
export function kindOf({ writes }: Commit): CommitKind | null {
  if (writes.every((write) => write.endsWith(' leases'))) return null;
  const fits = (kind: CommitKind) => kinds[kind].some((write) => writes.includes(write));
  return commitKinds.find(fits) ?? 'anything else';
}

/** A kind that has not been seen for so long is not waited for. */
const RECENTLY_MS = 10_000;

/** Chooses COMMITs to cut: always of the kind that was cut least, among the kinds that were seen recently. */
export class FairCuts {
  readonly #lastSeenMs = new Map<CommitKind, number>();
  readonly #times = new Map<CommitKind, number>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Has to be called for every COMMIT. */
  seen(commit: Commit): void {
    const kind = kindOf(commit);
    if (kind !== null) this.#lastSeenMs.set(kind, this.#nowMs());
  }

  /** Whether this COMMIT is to be cut. */
  isNext(commit: Commit): boolean {
    const kind = kindOf(commit);
    if (kind === null) return false;
    const coming = [...this.#lastSeenMs].filter(([, atMs]) => this.#nowMs() - atMs <= RECENTLY_MS);
    return coming.every(([other]) => this.timesOf(kind) <= this.timesOf(other));
  }

  /** Counts a COMMIT that was cut. */
  wasCut(commit: Commit): void {
    const kind = kindOf(commit);
    if (kind !== null) this.#times.set(kind, this.timesOf(kind) + 1);
  }

  timesOf(kind: CommitKind): number {
    return this.#times.get(kind) ?? 0;
  }
}

/** Counts cuts before and after the COMMIT apart, so that both come to every kind. */
export function fairCutsAtBoth(nowMs: () => number) {
  const both = { before: new FairCuts(nowMs), after: new FairCuts(nowMs) };
  const onCommit = (commit: Commit) => Object.values(both).forEach((cuts) => cuts.seen(commit));
  return { commitCuts: both, onCommit };
}
