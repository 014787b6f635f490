// For operators: how chains are read, and stopping or resuming a chain or a currency.
import Type from 'typebox';
import { strictObject } from '../../fields/strict-object.ts';
import { dashboardCurrency } from '../currencies.ts';
import { dashboardFields as f } from '../dashboard-fields.ts';
import { defineOperation } from '../operation.ts';

const block = strictObject({ number: Type.Integer(), time: f.time });

const chainRow = strictObject({
  chain: Type.String(),
  network: Type.String(),
  family: Type.Enum(['evm', 'tron']),
  /** Whether the configuration has it on. */
  is_on: Type.Boolean(),
  /** True where the chain is not halted and its newest block is fresh. */
  is_ready: Type.Boolean(),
  /** The newest block that was read; null before the first. */
  head: f.nullable(block),
  final: f.nullable(block),
  /** The block up to which balances were compared; null where the chain is not searched. */
  searched: f.nullable(block),
  /** Seconds that the head is behind the clock. */
  lag_seconds: f.nullable(Type.Integer()),
  /** The usual time between blocks, in milliseconds. */
  block_ms: Type.Integer(),
  confirmations: Type.Integer(),
  /** Why the chain waits for a person; null while it runs. */
  halted_reason: f.nullable(Type.String()),
  updated_at: f.nullable(f.time),
  /** The process that reads it, and when it took over. */
  watched_by: f.nullable(strictObject({ holder: Type.String(), since: f.time })),
  /** The newest first, at most 10. */
  reorgs: Type.Array(
    strictObject({
      at: f.time,
      from_number: Type.Integer(),
      ancestor_number: f.nullable(Type.Integer()),
      orphaned: Type.Integer(),
    }),
  ),
});

/** The operations of subjects chains and currencies. */
export const chainOperations = [
  defineOperation({
    name: 'chains.list',
    scope: 'operator',
    permission: 'operate',
    stepUp: false,
    request: strictObject({}),
    response: strictObject({ now: f.time, chains: Type.Array(chainRow) }),
  }),
  // Until its resumption, the chain is not read or settled, takes no orders and sends no payouts.
  defineOperation({
    name: 'chains.pause',
    scope: 'operator',
    permission: 'operate',
    stepUp: true,
    request: strictObject({ chain: f.chain, reason: f.reason }),
    response: strictObject({}),
  }),
  // `halted_reason` is the reason that the page showed. Where the chain is halted for another reason by now, the answer
  // is `changed`.
  defineOperation({
    name: 'chains.resume',
    scope: 'operator',
    permission: 'operate',
    stepUp: true,
    request: strictObject({ chain: f.chain, halted_reason: Type.String({ maxLength: 10_000 }) }),
    response: strictObject({}),
  }),
  defineOperation({
    name: 'currencies.list-all',
    scope: 'operator',
    permission: 'operate',
    stepUp: false,
    request: strictObject({}),
    response: strictObject({
      currencies: Type.Array(
        strictObject({
          ...dashboardCurrency.properties,
          suspended_since: f.nullable(f.time),
          /** What all merchants own of the currency together, and what custody holds of it. */
          owed: f.amount,
          held: f.amount,
        }),
      ),
    }),
  }),
  // Stops new orders and payouts in the currency until it is resumed. Merchants can read the reason.
  defineOperation({
    name: 'currencies.suspend',
    scope: 'operator',
    permission: 'operate',
    stepUp: true,
    request: strictObject({ currency_id: f.currencyId, reason: f.reason }),
    response: strictObject({}),
  }),
  defineOperation({
    name: 'currencies.resume',
    scope: 'operator',
    permission: 'operate',
    stepUp: true,
    request: strictObject({ currency_id: f.currencyId }),
    response: strictObject({}),
  }),
] as const;
