// Clients of PostgreSQL as the simulator needs them: without any timeout by the true clock.
import pg from 'pg';

/**
 * How long a transaction is idle or waits by the true clock depends on how busy the machine is, so timeouts would
 * make two runs of one seed differ. The simulator ends idle transactions of a frozen process by its own clock
 * instead, where the product asked for it.
 */
export const IDLE_TIMEOUT = 'idle_in_transaction_session_timeout';
const NO_TIMEOUTS = `SET ${IDLE_TIMEOUT} = 0; SET lock_timeout = 0; SET statement_timeout = 0`;

/** Removes the timeouts from all clients of this process. Only for the simulator, which alone uses its databases. */
export function withoutTimeouts(): void {
  const clients: { query: unknown } = pg.Client.prototype;
  const { query: plain } = clients;
  if (typeof plain !== 'function') throw new Error('clients of PostgreSQL have no query');
  const known = new WeakSet<pg.Client>();
  clients.query = function (this: pg.Client, ...args: unknown[]): unknown {
    if (!known.has(this)) {
      known.add(this);
      waitForEver(this);
      Reflect.apply(plain, this, [NO_TIMEOUTS, noAnswer]);
    }
    const [asked, ...more] = args;
    return Reflect.apply(plain, this, setsLimit(asked) ? [withoutLimit(asked), ...more] : args);
  };
}

/** Turns off the driver's own timer of each statement. */
function waitForEver(client: pg.Client): void {
  if (!('connectionParameters' in client)) throw new Error('a client has no parameters');
  Object.assign(Object(client.connectionParameters), { query_timeout: 0 });
}

interface Query {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Recognises the one form in which the product sets the limit. */
function setsLimit(asked: unknown): asked is Query {
  const isQuery = typeof asked === 'object' && asked !== null && 'text' in asked && 'values' in asked;
  return isQuery && String(asked.text).includes(IDLE_TIMEOUT);
}

/** The same query without a limit. The limit is the value that is a text of digits, in milliseconds. */
function withoutLimit(asked: Query): Query {
  const values = asked.values.map((one) => (typeof one === 'string' && /^\d+$/.test(one) ? '0' : one));
  return { ...asked, values };
}

function noAnswer(): void {
  // A later statement runs into the same failure and reports it.
}
