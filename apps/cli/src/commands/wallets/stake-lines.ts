// The stake of a chain in `ducat wallets list`: the account's figures, the books' figures, and how far the stake goes.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { RUNWAY_DAYS } from '@ducat/core/collection/runway';
import type { ResourceUse } from '@ducat/core/collection/stake-offer';
import type { StakeLook } from '@ducat/core/collection/stake-runway';
import { type Amount, isPositive } from '@ducat/core/money/amount';
import { formatDecimal } from '@ducat/core/money/decimal';
import { addressSchemes } from '@ducat/gateway/chains/address-schemes';
import type { ConfiguredChain } from '@ducat/gateway/config/chains';
import { readStakeLook, type StakeParts } from '@ducat/gateway/roles/collector/stake/stake-look';
import { Outage } from '@ducat/gateway/runtime/outage';
import { amountText, type WalletLine } from './wallet-line.ts';

/** Empty where the configuration names no stake. */
export async function stakeLines(
  { definition, collection }: ConfiguredChain,
  parts: Omit<StakeParts, 'staker'>,
): Promise<readonly WalletLine[]> {
  const staker = collection?.staker ?? null;
  if (staker === null) return [];
  const { name: chain, family } = definition;
  const address = addressSchemes[family].display(staker.address);
  const line = (what: string, amount: string, note: string): WalletLine => ({
    chain,
    what,
    owner: '',
    amount,
    note,
  });
  try {
    const look = await readStakeLook({ ...parts, staker });
    if (look === null)
      return [line('stake', '', `${address}, and there is no gas wallet yet whose key could delegate`)];
    return [
      line('stake', amountText(definition, look.report.staked), `${address}, ${stakeText(definition, look)}`),
      line(
        'stake bandwidth',
        amountText(definition, look.report.stakedForBandwidth),
        `used ${useText(look.report.bandwidth)} bytes, of the free ones ${useText(look.report.freeBandwidth)}`,
      ),
      ...thawing(look).map(([amount, note]) => line('stake thaws', amountText(definition, amount), note)),
      line('stake runway', '', runwayText(definition, look)),
    ];
  } catch (error) {
    if (error instanceof Outage) return [line('stake', '', `${address}: no node answers`)];
    throw error;
  }
}

function stakeText(
  definition: ChainDefinition,
  { staker, report, booked, atWallets, stray }: StakeLook,
): string {
  const text = (amount: Amount): string => amountText(definition, amount);
  const parts = [
    `delegated ${text(report.delegated)}`,
    `of that for collections ${text(booked)}`,
    ...(isPositive(atWallets) ? [`at wallets ${text(atWallets)}`] : []),
    ...(isPositive(stray) ? [`STRAY ${text(stray)}`] : []),
    `free ${text(report.free)}`,
    `energy used ${useText(report.energy)}`,
    `coin ${text(report.coin)}`,
  ];
  const problem = report.isPermitted
    ? ''
    : `: permission ${staker.permission} DOES NOT LET THE GAS WALLET DELEGATE`;
  return `${parts.join(', ')}${problem}`;
}

function useText({ used, limit }: ResourceUse): string {
  return `${used} of ${limit}`;
}

function thawing({ report: { unfreezing, thawsAtMs } }: StakeLook): readonly (readonly [Amount, string])[] {
  return thawsAtMs === null ? [] : [[unfreezing, `the next of it at ${new Date(thawsAtMs).toISOString()}`]];
}

function runwayText(
  definition: ChainDefinition,
  { report, runway, collections, collectionsByStake, payouts }: StakeLook,
): string {
  const { transfersADay, coveragePercent, burntADay } = runway;
  const aDay = (count: bigint) => formatDecimal((count * 10n) / RUNWAY_DAYS, 1);
  return [
    `${report.energyADay} energy a day`,
    ...(transfersADay === null ? [] : [`which is ${transfersADay} token transfers`]),
    `of late ${aDay(collections)} collections a day, ${collectionsByStake} of ${collections} by the stake`,
    `and ${aDay(payouts)} token payouts a day`,
    ...(coveragePercent === null ? [] : [`covers ${formatDecimal(coveragePercent, 2)} x of a usual day`]),
    ...(burntADay === null || !isPositive(burntADay)
      ? []
      : [`a usual day burns ${amountText(definition, burntADay)} beyond it`]),
  ].join(', ');
}
