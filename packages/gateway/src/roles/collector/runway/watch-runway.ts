// Says how long the gas wallet of a chain lasts, and warns while that is less than the operator wants.
import { nativeCurrency } from '@ducat/core/chain/chain';
import { type Amount, amountOf, compare } from '@ducat/core/money/amount';
import { type GasRunway, gasRunway, isRunwayShort, RUNWAY_DAYS } from '@ducat/core/collection/runway';
import type { ChainWriter } from '../../../chains/port/writer.ts';
import type { Reader } from '../../../db/postgres/tx.ts';
import { readGasUse } from '../../../db/reports/gas-use.ts';
import { Outage } from '../../../runtime/outage.ts';
import type { CollectChain } from '../parts.ts';
import { MUCH, type PayoutCost, payoutCost, usualCurrency } from '../payout-cost.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

export interface RunwayParts {
  readonly writer: Pick<ChainWriter, 'definition' | 'estimate'>;
  readonly reader: Reader;
  readonly nowMs: number;
}

/**
 * Null where the chain has no gas wallet yet. The number of payouts is null while the chain is away. The balance that nodes
 * report counts where it is higher than the books, because the books may not have reached the block with the wallet's coin.
 */
export async function readRunway({ writer, reader, nowMs }: RunwayParts): Promise<GasRunway | null> {
  const { name: chain, family } = writer.definition;
  const nativeId = nativeCurrency(writer.definition).currencyId;
  const sinceMs = nowMs - Number(RUNWAY_DAYS) * DAY_MS;
  const use = await readGasUse(reader, { chain, family, nativeId, sinceMs });
  if (use === null) return null;
  const { cost, coin } = await askUnlessAway(writer, use.address);
  const held = coin !== null && compare(coin, use.held) > 0 ? coin : use.held;
  return gasRunway({ ...use, held, perPayout: cost?.expected ?? null });
}

async function askUnlessAway(
  writer: RunwayParts['writer'],
  from: string,
): Promise<{ readonly cost: PayoutCost | null; readonly coin: Amount | null }> {
  try {
    return {
      cost: await payoutCost(writer, from, usualCurrency(writer.definition)),
      coin: await readCoin(writer, from),
    };
  } catch (error) {
    if (error instanceof Outage) return { cost: null, coin: null };
    throw error;
  }
}

/** The address's coin at the newest block, as nodes report it: for the warning, never for the books. Null where unknown. */
async function readCoin(
  { definition, estimate }: RunwayParts['writer'],
  address: string,
): Promise<Amount | null> {
  const currency = nativeCurrency(definition);
  const amount = amountOf(currency.currencyId, MUCH);
  const tried = await estimate({ from: address, to: address, currency, amount });
  if (tried.outcome !== 'possible') return null;
  return tried.shortOf.find(({ held }) => held.currencyId === currency.currencyId)?.held ?? null;
}

export async function watchRunway({
  writer,
  reader,
  world,
  policy,
  observer,
  log,
}: CollectChain): Promise<void> {
  const runway = await readRunway({ writer, reader, nowMs: world.nowMs() });
  if (runway === null) return;
  const isShort = isRunwayShort(runway, policy.runway);
  const { name: chain } = writer.definition;
  observer.onRunway(chain, runway, isShort);
  const { days, payouts } = runway;
  const fields = { chain, days: days?.toString() ?? null, payouts: payouts?.toString() ?? null };
  if (isShort) log.error(fields, 'the gas wallet runs dry');
}
