// For operators: the stake of Tron whose energy collections and payouts use, and how far it goes.
import Type from 'typebox';
import { strictObject } from '../../fields/strict-object.ts';
import { dashboardFields as f } from '../dashboard-fields.ts';
import { defineOperation } from '../operation.ts';

const count = Type.Integer({ minimum: 0 });
/** What is used comes back evenly within 24 hours. */
const use = strictObject({ limit: count, used: count });

/** Amounts are in the coin of the chain. */
const stake = strictObject({
  currency_id: f.currencyId,
  /** The operator's own account, which holds the stake. */
  account: Type.String(),
  permission: count,
  /** Whether that permission lets the gas wallet delegate. */
  is_permitted: Type.Boolean(),
  staked: f.amount,
  delegated: f.amount,
  /** Of that: to deposit addresses by the books, to wallets, and to deposit addresses without a collection that knows of it. */
  delegated_for_collections: f.amount,
  delegated_to_wallets: f.amount,
  stray: f.amount,
  /** Can be delegated now. */
  free: f.amount,
  staked_for_bandwidth: f.amount,
  /** Taken back, and coin again once it thaws; null where nothing is. */
  unfreezing: f.nullable(strictObject({ amount: f.amount, next_at: f.time })),
  /** Of the account, for what delegating burns. */
  coin: f.amount,
  energy: use,
  bandwidth: use,
  free_bandwidth: use,
  energy_a_day: count,
  /** Token transfers that this is enough for; null where the energy of one is unknown. */
  transfers_a_day: f.nullable(count),
  /** Of token transfers out of deposit addresses, those by the stake, and payouts of tokens: in so many days. */
  days: count,
  collections: count,
  collections_by_stake: count,
  payouts: count,
  /** Of the energy that a usual day takes; null where there was none. */
  coverage_percent: f.nullable(count),
  /** What a usual day burns beyond the stake; null where the energy of a transfer is unknown. */
  burnt_a_day: f.nullable(f.amount),
});

export const stakeOperations = [
  // Asks the nodes of the chain.
  defineOperation({
    name: 'wallets.read-stake',
    scope: 'operator',
    permission: 'operate',
    stepUp: false,
    request: strictObject({ chain: f.chain }),
    response: strictObject({
      /** `none`: no stake is configured, or no gas wallet is there yet. `away`: no node answers. */
      state: Type.Enum(['none', 'away', 'read']),
      stake: f.nullable(stake),
    }),
  }),
] as const;
