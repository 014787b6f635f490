// For operators: the Tron stake whose energy collections and payouts use, and how much it covers.
import Type from 'typebox';
import { strictObject } from '../../fields/strict-object.ts';
import { dashboardFields as f } from '../dashboard-fields.ts';
import { defineOperation } from '../operation.ts';

const count = Type.Integer({ minimum: 0 });
/** The limit of a resource and its use. Used units recover evenly within 24 hours. */
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
  /**
   * The parts of `delegated`: to deposit addresses according to the books, to wallets, and to deposit addresses without
   * a collection that accounts for it.
   */
  delegated_for_collections: f.amount,
  delegated_to_wallets: f.amount,
  stray: f.amount,
  /** The stake that can be delegated now. */
  free: f.amount,
  staked_for_bandwidth: f.amount,
  /** Stake that is being unfrozen, and when the next part becomes coin again; null where there is none. */
  unfreezing: f.nullable(strictObject({ amount: f.amount, next_at: f.time })),
  /** The coin of the staker's account, which pays for what delegating burns. */
  coin: f.amount,
  energy: use,
  bandwidth: use,
  free_bandwidth: use,
  energy_a_day: count,
  /** How many token transfers a day the energy is enough for; null where the energy of one transfer is unknown. */
  transfers_a_day: f.nullable(count),
  /** Counts over so many days: token transfers out of deposit addresses, those of them by the stake, and token payouts. */
  days: count,
  collections: count,
  collections_by_stake: count,
  payouts: count,
  /** The share of a usual day's energy that the stake covers; null where there was no usual day. */
  coverage_percent: f.nullable(count),
  /** The coin that a usual day burns beyond the stake; null where the energy of a transfer is unknown. */
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
      /** `none`: no stake is configured, or there is no gas wallet yet. `away`: no node answers. */
      state: Type.Enum(['none', 'away', 'read']),
      stake: f.nullable(stake),
    }),
  }),
] as const;
