// Clients of PostgreSQL as the simulator needs them: without any time-out by the true clock.
import pg from 'pg';

/**
 * How long a transaction is idle or waits by the true clock says how busy the machine is, and would make two runs of
 * one seed differ. What a frozen process leaves idle is ended by the simulator's own clock instead, where the product
 * asked for it.
 */
export const IDLE_TIMEOUT = 'idle_in_transaction_session_timeout';
const NO_TIMEOUTS = `SET ${IDLE_TIMEOUT} = 0; SET lock_timeout = 0; SET statement_timeout = 0`;

/** Takes the time-outs from all clients of this process. Only for the simulator, whose databases nobody else uses. */
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

/** The driver's own timer, one for each statement. */
function waitForEver(client: pg.Client): void {
  if (!('connectionParameters' in client)) throw new Error('a client has no parameters');
  Object.assign(Object(client.connectionParameters), { query_timeout: 0 });
}

interface Query {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** In the one form in which the product asks. */
function setsLimit(asked: unknown): asked is Query {
  const isQuery = typeof asked === 'object' && asked !== null && 'text' in asked && 'values' in asked;
  return isQuery && String(asked.text).includes(IDLE_TIMEOUT);
}

/** The same with a limit of none: it is the value that is text and counts milliseconds. */
function withoutLimit(asked: Query): Query {
  const values = asked.values.map((one) => (typeof one === 'string' && /^\d+$/.test(one) ? '0' : one));
  return { ...asked, values };
}

function noAnswer(): void {
  // What a later statement runs into says the same.
}
