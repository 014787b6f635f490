// For operators: the stake of Tron whose energy collections and payouts use, and how far it goes.
import { RUNWAY_DAYS } from '@ducat/core/collection/runway';
import type { ResourceUse } from '@ducat/core/collection/stake-offer';
import type { StakeLook } from '@ducat/core/collection/stake-runway';
import { Outage } from '../../../runtime/outage.ts';
import { answer, type Handler, unknown } from '../call.ts';
import { chainNamed, readTexts, seconds, type Texts } from '../texts.ts';

export const handleStake: Handler<'wallets.read-stake'> = async ({ deps }, { chain }) => {
  if (chainNamed(deps, chain) === null) return unknown('chain');
  try {
    const look = await deps.lookAtStake(chain);
    if (look === null) return answer({ state: 'none', stake: null });
    return answer({ state: 'read', stake: presentStake(chain, look, await readTexts(deps)) });
  } catch (error) {
    if (!(error instanceof Outage)) throw error;
    deps.logger.warn({ chain, error }, 'the stake cannot be looked at');
    return answer({ state: 'away', stake: null });
  }
};

function presentStake(chain: string, look: StakeLook, texts: Texts) {
  const { staker, report, runway } = look;
  const percent = runway.coveragePercent;
  return {
    currency_id: report.staked.currencyId,
    account: texts.address(chain, staker.address),
    permission: staker.permission,
    is_permitted: report.isPermitted,
    staked: texts.amount(report.staked),
    delegated: texts.amount(report.delegated),
    delegated_for_collections: texts.amount(look.booked),
    delegated_to_wallets: texts.amount(look.atWallets),
    stray: texts.amount(look.stray),
    free: texts.amount(report.free),
    staked_for_bandwidth: texts.amount(report.stakedForBandwidth),
    unfreezing:
      report.thawsAtMs === null
        ? null
        : { amount: texts.amount(report.unfreezing), next_at: seconds(report.thawsAtMs) },
    coin: texts.amount(report.coin),
    energy: presentUse(report.energy),
    bandwidth: presentUse(report.bandwidth),
    free_bandwidth: presentUse(report.freeBandwidth),
    energy_a_day: Number(report.energyADay),
    transfers_a_day: runway.transfersADay === null ? null : Number(runway.transfersADay),
    days: Number(RUNWAY_DAYS),
    collections: Number(look.collections),
    collections_by_stake: Number(look.collectionsByStake),
    payouts: Number(look.payouts),
    coverage_percent: percent === null ? null : Number(percent),
    burnt_a_day: runway.burntADay === null ? null : texts.amount(runway.burntADay),
  };
}

function presentUse({ limit, used }: ResourceUse) {
  return { limit: Number(limit), used: Number(used) };
}
