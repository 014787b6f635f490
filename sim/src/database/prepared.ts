// Clients of PostgreSQL as the simulator needs them: statements planned once, and no time-out by the true clock.
import { createHash } from 'node:crypto';
import pg from 'pg';

const PREPARABLE = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/i;
/**
 * How long a transaction is idle or waits by the true clock says how busy the machine is, and would make two runs of
 * one seed differ. What a frozen process leaves idle is ended by the simulator's own clock instead, where the product
 * asked for it.
 */
export const IDLE_TIMEOUT = 'idle_in_transaction_session_timeout';
const NO_TIMEOUTS = `SET ${IDLE_TIMEOUT} = 0; SET lock_timeout = 0; SET statement_timeout = 0`;
const names = new Map<string, string>();

/** Names the statements of all clients of this process. Only for the simulator, whose databases nobody else uses. */
export function prepareStatements(): void {
  const clients: { query: unknown } = pg.Client.prototype;
  const { query: plain } = clients;
  if (typeof plain !== 'function') throw new Error('clients of PostgreSQL have no query');
  const known = new WeakSet<pg.Client>();
  clients.query = function (this: pg.Client, ...args: unknown[]): unknown {
    if (!known.has(this)) {
      known.add(this);
      Reflect.apply(plain, this, [NO_TIMEOUTS, noAnswer]);
    }
    const [text, values] = args;
    if (typeof text === 'string' && Array.isArray(values) && PREPARABLE.test(text)) {
      const isTimeout = text.includes(IDLE_TIMEOUT);
      args.splice(0, 2, { name: nameOf(text), text, values: isTimeout ? withoutTimeout(values) : values });
    }
    return Reflect.apply(plain, this, args);
  };
}

/** The same values with a limit of none: it is the one that is text and counts milliseconds. */
function withoutTimeout(values: readonly unknown[]): readonly unknown[] {
  return values.map((value) => (typeof value === 'string' && /^\d+$/.test(value) ? '0' : value));
}

function noAnswer(): void {
  // What a later statement runs into says the same.
}

function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = createHash('sha256').update(text).digest('hex').slice(0, 32);
  names.set(text, name);
  return name;
}
