// For operators, by day: the quality of each provider, and the results of comparing the books with the chains.
import Type from 'typebox';
import { strictObject } from '../../fields/strict-object.ts';
import { dashboardFields as f } from '../dashboard-fields.ts';
import { defineOperation } from '../operation.ts';

const count = Type.Integer({ minimum: 0 });

const quality = strictObject({
  calls: count,
  failures: count,
  /** The mean duration of a call, in milliseconds; null without a call. */
  mean_ms: f.nullable(count),
  /** How often the quorum reported something else. */
  disagreements: count,
});

/** The operations that list days, which are days of UTC. */
export const dayOperations = [
  // The providers as the process that watches each chain saw them. The figures are kept once a minute.
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
          /** `closed`: used. `open`: not asked. `half-open`: on trial. */
          circuit: Type.Enum(['closed', 'open', 'half-open']),
          /** Why the provider is not fully used; null while it is. */
          reason: f.nullable(Type.String()),
          head: f.nullable(count),
          /** How many blocks the provider is behind the most advanced provider of its chain. */
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
          /** How many addresses were compared. An address counts each time. */
          addresses: count,
          /** How many rounds over all addresses ended. */
          rounds: count,
          /** How many attempts could not compare. */
          failures: count,
          /** The currencies whose day is not clean. */
          currencies: Type.Array(
            strictObject({
              currency_id: f.currencyId,
              verdict: Type.Enum(['differs', 'unlooked']),
              /** The most addresses that differed at one time. */
              differing: count,
              trouble: f.nullable(Type.String()),
            }),
          ),
        }),
      ),
    }),
  }),
] as const;
