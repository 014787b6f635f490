// Names under which statements stay prepared on a connection, so that each is read and planned once and not per call.
import { createHash } from 'node:crypto';

/** Statements that get a name. All of ours are fixed texts, or one of a few forms; the rest is planned each time. */
const MAX_NAMED = 500;

export interface StatementNames {
  /** The name of a statement on every connection, or null where there are too many already. */
  nameOf(sql: string): string | null;
  /** New names from now on: what was prepared before fits the tables no more. */
  renew(): void;
}

export function createStatementNames(maxNamed = MAX_NAMED): StatementNames {
  const names = new Map<string, string>();
  let generation = 0;
  return {
    nameOf(sql) {
      const known = names.get(sql);
      if (known !== undefined) return known;
      if (names.size >= maxNamed) return null;
      // By its text: behind a pooler that mixes up connections, a name of another process never means another text.
      const name = `ducat_${generation}_${createHash('sha256').update(sql).digest('hex').slice(0, 32)}`;
      names.set(sql, name);
      return name;
    },
    renew() {
      generation++;
      names.clear();
    },
  };
}
