// The accounts to which the energy of a stake on Tron is delegated, and how much of the stake each has.
import type { HttpApi } from '../wire/http-api.ts';

/** Sun. */
export interface Delegated {
  readonly stake: bigint;
  readonly withoutLock: bigint;
}

/** Canonical addresses that have energy or bandwidth of the account. Throws Outage where the node cannot answer. */
export async function readReceivers(api: HttpApi, account: string): Promise<readonly string[]> {
  const answer = (await api('getdelegatedresourceaccountindexv2', { value: account })).asRecord('an index');
  return answer
    .get('toAccounts')
    .asList('receivers')
    .map((one) => one.asHex('a receiver', 21));
}

/** How much of the stake of `from` is delegated to `to`. Throws Outage where the node cannot answer. */
export async function readDelegated(api: HttpApi, from: string, to: string): Promise<Delegated> {
  const answer = (await api('getdelegatedresourcev2', { fromAddress: from, toAddress: to })).asRecord(
    'delegations',
  );
  // A delegation with a lock and one without are two rows. Our key never locks: the staker's own key delegated a locked one.
  const rows = answer
    .get('delegatedResource')
    .asRecords('delegations')
    .map((one) => ({
      sun: one.get('frozen_balance_for_energy').asInteger('a delegation'),
      isLocked: one.get('expire_time_for_energy').asInteger('the end of a lock') !== 0n,
    }));
  return {
    stake: rows.reduce((sum, { sun }) => sum + sun, 0n),
    // mark: locked-energy-is-none-of-ours
    withoutLock: rows.filter(({ isLocked }) => !isLocked).reduce((sum, { sun }) => sum + sun, 0n),
  };
}
