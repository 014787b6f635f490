// Names of prepared statements, so that a connection parses and plans each statement once and not per call.
import { createHash } from 'node:crypto';

/**
 * How many statements get a name. Our own are few, because their texts are fixed or have few forms. Any further ones
 * are planned at each call.
 */
const MAX_NAMED = 500;

export interface StatementNames {
  /** The name of a statement on every connection, or null if too many have one already. */
  nameOf(sql: string): string | null;
  /** Gives new names from now on, because the tables no longer fit what was prepared. */
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
      // The name is a hash of the text. So behind a pooler that shares connections, a name from another process never
      // stands for another text.
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
