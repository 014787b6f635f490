// Planted bugs: each breaks one promise of the product at the simulator's own wrappers, to show that it is noticed.
import type { ChainPort } from '@ducat/gateway/chains/port';
import type { PostRequest } from '@ducat/gateway/roles/notifier/port';
import type { Interceptor } from './gated-database.ts';

export interface Sabotage {
  /** What the product would do wrong, in words. */
  readonly bug: string;
  readonly intercept?: Interceptor;
  readonly chain?: (port: ChainPort) => ChainPort;
  readonly request?: (request: PostRequest) => PostRequest;
  readonly leaseMs?: number;
  /** Run on the empty database, such as to drop a constraint. */
  readonly prepare?: readonly string[];
  /** Undoes `prepare`. */
  readonly repair?: readonly string[];
}

/** Leaves a statement out where it begins with these words. */
function without(words: string): Interceptor {
  return (_process, sql, values, run) =>
    sql.trimStart().startsWith(words) ? Promise.resolve([]) : run(sql, values);
}

export const sabotages: Readonly<Record<string, Sabotage>> = {
  'credit-before-final': {
    bug: 'the count of confirmations alone makes money final, whatever the chain says',
    chain: (port) => ({
      ...port,
      finalBlock: async (atMost) => {
        const [header] = await port.headers(atMost, atMost);
        return header === undefined ? null : { number: header.number, hash: header.hash };
      },
    }),
  },
  'block-wide-position': {
    bug: 'a transfer is known by its place in the block instead of its place in the transaction',
    chain: (port) => ({
      ...port,
      readBlock: async (number, watched) => {
        const block = await port.readBlock(number, watched);
        if (block === null) return null;
        const transfers = block.transfers.map((transfer, place) => ({
          ...transfer,
          position: `log:${place}`,
        }));
        return { ...block, transfers };
      },
    }),
  },
  'wall-clock-expiry': {
    bug: 'orders time out by the clock instead of by the final block',
    intercept: async (process, sql, values, run) => {
      const isExpiry = process.kind === 'clerk' && sql.includes('FOR UPDATE OF o SKIP LOCKED');
      return isExpiry
        ? run(
            sql,
            values.map((value, place) => (place === 1 ? 9_999_999_999 : value)),
          )
        : run(sql, values);
    },
  },
  'event-not-written': {
    bug: 'the state changes, and its event is kept in memory only',
    intercept: (process, sql, values, run) =>
      process.kind === 'watcher' && sql.includes('INSERT INTO events')
        ? Promise.resolve([])
        : run(sql, values),
  },
  'cursor-apart': {
    bug: 'the cursor does not move with its block',
    intercept: (_process, sql, values, run) =>
      sql.includes('head_number = $2') ? Promise.resolve([]) : run(sql, values),
  },
  'undo-forgets-transfers': {
    bug: 'a fork leaves the transfers of the lost blocks as they were',
    intercept: (_process, sql, values, run) =>
      sql.includes("SET state = 'orphaned'") ? Promise.resolve([{ orphaned: 0 }]) : run(sql, values),
  },
  'booked-twice': {
    bug: 'a settled transfer is not marked, and no unique key stops the second booking',
    intercept: without("UPDATE transfers SET state = 'final'"),
    prepare: ['ALTER TABLE entries DROP CONSTRAINT entries_fact_reference_key'],
    repair: ['ALTER TABLE entries ADD CONSTRAINT entries_fact_reference_key UNIQUE (fact, reference)'],
  },
  'lost-balance-update': {
    bug: 'the order is written without what it collected',
    intercept: (_process, sql, values, run) =>
      sql.startsWith('UPDATE orders SET status = u.status')
        ? run(sql.replace('collected = u.collected', 'collected = orders.collected'), values)
        : run(sql, values),
  },
  'short-lease': {
    bug: 'a claim runs out while its attempt is still under way',
    leaseMs: 500,
  },
  'delivery-not-recorded': {
    bug: 'what became of an attempt is not written down',
    intercept: (_process, sql, values, run) =>
      sql.includes('UPDATE delivery_attempts SET duration_ms')
        ? Promise.resolve([{ recorded: 1, changed: 1 }])
        : run(sql, values),
  },
  'body-made-afresh': {
    bug: 'the body is written anew at each attempt',
    request: (request) => ({
      ...request,
      body: `${request.body.slice(0, -1)},"sent":"${request.headers['X-Timestamp']}"}`,
    }),
  },
  'no-order-among-events': {
    bug: 'an event does not wait for the one before it',
    intercept: (_process, sql, values, run) =>
      run(sql.replace("WHEN earlier.look_at_ms IS NOT NULL THEN 'waits'", ''), values),
  },
};
