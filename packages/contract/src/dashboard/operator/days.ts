// For operators: how good each provider was, and what comparing the books with the chains came to, by day.
import Type from 'typebox';
import { strictObject } from '../../fields/strict-object.ts';
import { dashboardFields as f } from '../dashboard-fields.ts';
import { defineOperation } from '../operation.ts';

const count = Type.Integer({ minimum: 0 });

const quality = strictObject({
  calls: count,
  failures: count,
  /** Of one call, in milliseconds; null without a call. */
  mean_ms: f.nullable(count),
  /** Times that the quorum reported something else. */
  disagreements: count,
});

/** The operations that look back by days, which are days of UTC. */
export const dayOperations = [
  // As the process that watches each chain saw them, kept once a minute.
  defineOperation({
    name: 'chains.list-providers',
    scope: 'operator',
    permission: 'operate',
    stepUp: false,
    request: strictObject({}),
    response: strictObject({
      providers: Type.Array(
        strictObject({
          chain: Type.String(),
          provider: Type.String(),
          /** Used, not asked, or on trial. */
          circuit: Type.Enum(['closed', 'open', 'half-open']),
          /** Why it is not simply used; null while it is. */
          reason: f.nullable(Type.String()),
          head: f.nullable(count),
          /** Blocks behind the provider of its chain that is furthest. */
          blocks_behind: f.nullable(count),
          kept_at: f.time,
          today: quality,
          /** The last seven days together, today counted. */
          week: quality,
        }),
      ),
    }),
  }),
  // The newest day first, at most 31.
  defineOperation({
    name: 'reserves.list-days',
    scope: 'operator',
    permission: 'operate',
    stepUp: false,
    request: strictObject({}),
    response: strictObject({
      days: Type.Array(
        strictObject({
          day: f.time,
          /** `unlooked`: not one comparison of a currency succeeded. */
          verdict: Type.Enum(['clean', 'differs', 'unlooked']),
          /** Addresses compared, each as often as it was. */
          addresses: count,
          /** Rounds over all addresses that ended. */
          rounds: count,
          /** Attempts that could not look. */
          failures: count,
          /** What is not clean. */
          currencies: Type.Array(
            strictObject({
              currency_id: f.currencyId,
              verdict: Type.Enum(['differs', 'unlooked']),
              /** Addresses that differed at once, at the most. */
              differing: count,
              trouble: f.nullable(Type.String()),
            }),
          ),
        }),
      ),
    }),
  }),
] as const;
