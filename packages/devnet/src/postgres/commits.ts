// Finds out when the client of a PostgreSQL connection commits, and what: by COMMIT, or by a statement outside of BEGIN.
import { type PostgresMessage, textsOf } from './messages.ts';

/** A transaction that its client commits. */
export interface Commit {
  /**
   * The writes of the transaction, each once: `insert`, `update`, `delete` or `merge`, and the table, as in `insert
   * orders`.
   */
  readonly writes: readonly string[];
  /** Whether the commit is a statement outside of BEGIN, which commits by itself. */
  readonly isImplicit: boolean;
}

/**
 * Follows both sides of one connection. It sees statements, not the writes of the functions and triggers that they
 * call.
 */
export class PostgresCommits {
  readonly #statements = new Map<string, string>();
  readonly #portals = new Map<string, string>();
  readonly #writes = new Set<string>();
  #isInTransaction = false;
  #hasFailed = false;

  /** Takes a message of the client. Returns a Commit where this message commits, otherwise null. */
  said(message: PostgresMessage): Commit | null {
    const { type } = message;
    if (type === 'Q') return this.#queried(textsOf(message, 5, 1)[0] ?? '');
    const [first = '', second = ''] = textsOf(message, 5, 2);
    if (type === 'P') this.#statements.set(first, second);
    else if (type === 'B') this.#portals.set(first, this.#statements.get(second) ?? '');
    else if (type === 'C' && first.startsWith('S')) this.#statements.delete(first.slice(1));
    else if (type === 'E') return this.#executed(this.#portals.get(first) ?? '');
    else if (type === 'S' && !this.#isInTransaction) return this.#implicit();
    return null;
  }

  /** Takes a message of the server. */
  answered({ type, bytes }: PostgresMessage): void {
    if (type !== 'Z') return;
    const status = String.fromCharCode(bytes[5] ?? 0);
    this.#isInTransaction = status !== 'I';
    this.#hasFailed = status === 'E';
    if (status === 'I') this.#writes.clear();
  }

  #queried(sql: string): Commit | null {
    if (COMMITS.test(sql)) return this.#explicit();
    this.#note(sql);
    return this.#isInTransaction || BEGINS.test(sql) ? null : this.#implicit();
  }

  #executed(sql: string): Commit | null {
    if (COMMITS.test(sql)) return this.#explicit();
    this.#note(sql);
    return null;
  }

  /** The commit of a COMMIT; null for a failed transaction, which its COMMIT rolls back. */
  #explicit(): Commit | null {
    const isCommit = this.#isInTransaction && !this.#hasFailed;
    return isCommit ? { writes: [...this.#writes], isImplicit: false } : null;
  }

  #implicit(): Commit | null {
    return this.#writes.size === 0 ? null : { writes: [...this.#writes], isImplicit: true };
  }

  #note(sql: string): void {
    for (const [, verb = '', table = ''] of WRITES.flatMap((write) => [...sql.matchAll(write)]))
      this.#writes.add(`${verb} ${table}`.toLowerCase());
  }
}

const COMMITS = /^\s*(commit|end)\b/i;
const BEGINS = /^\s*(begin|start\s+transaction)\b/i;
// An UPDATE that writes has a SET after its table. `FOR UPDATE OF o` and `DO UPDATE SET` do not match.
const WRITES = [
  /\b(insert)\s+into\s+"?(\w+)/gi,
  /\b(merge)\s+into\s+"?(\w+)/gi,
  /\b(delete)\s+from\s+(?:only\s+)?"?(\w+)/gi,
  /\b(update)\s+(?:only\s+)?"?(\w+)"?\s+(?:(?:as\s+)?\w+\s+)?set\b/gi,
];
