// Says how long the gas wallet of a chain lasts, and warns while that is less than the operator wants.
import { nativeCurrency } from '@ducat/core/chain/chain';
import { type GasRunway, gasRunway, isRunwayShort, RUNWAY_DAYS } from '@ducat/core/collection/runway';
import type { ChainWriter } from '../../chains/port/writer.ts';
import type { Reader } from '../../db/postgres/tx.ts';
import { readGasUse } from '../../db/reports/gas-use.ts';
import { Outage } from '../../runtime/outage.ts';
import type { CollectChain } from './parts.ts';
import { type PayoutCost, payoutCost } from './payout-cost.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

export interface RunwayParts {
  readonly writer: Pick<ChainWriter, 'definition' | 'estimate'>;
  readonly reader: Reader;
  readonly nowMs: number;
}

/** Null where the chain has no gas wallet yet. A chain that is away says nothing of payouts. */
export async function readRunway({ writer, reader, nowMs }: RunwayParts): Promise<GasRunway | null> {
  const { name: chain, family } = writer.definition;
  const nativeId = nativeCurrency(writer.definition).currencyId;
  const sinceMs = nowMs - Number(RUNWAY_DAYS) * DAY_MS;
  const use = await readGasUse(reader, { chain, family, nativeId, sinceMs });
  if (use === null) return null;
  const cost = await costUnlessAway(writer, use.address);
  return gasRunway({ ...use, perPayout: cost?.expected ?? null });
}

async function costUnlessAway(writer: RunwayParts['writer'], from: string): Promise<PayoutCost | null> {
  try {
    return await payoutCost(writer, from);
  } catch (error) {
    if (error instanceof Outage) return null;
    throw error;
  }
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
