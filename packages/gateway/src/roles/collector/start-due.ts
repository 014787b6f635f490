// Looks at the holdings that are due, and begins to collect those that are worth it.
import { nativeCurrency } from '@ducat/core/chain/chain';
import { BUDGET_MS } from '@ducat/core/collection/policy';
import { MOST_SWEPT } from '@ducat/core/collection/sweeper';
import { add, type Amount, zero } from '@ducat/core/money/amount';
import { readDemands, readUnderway } from '../../db/tables/collections/collections.ts';
import { readStakeInUse } from '../../db/tables/collections/delegated-energy.ts';
import {
  type DueHolding,
  holdingItem,
  type HoldingLook,
  type LookedAt,
  readDueHoldings,
} from '../../db/tables/collections/holdings.ts';
import { recordLooks } from '../../flows/collections/record-looks.ts';
import { startCollection } from '../../flows/collections/start-collection.ts';
import { newCollectionId, newOutgoingId } from '../../runtime/ids.ts';
import type { CollectOutcome, LeasedCollector } from './parts.ts';
import { laterOf, planDue, type Planned } from './plan-due.ts';
import { maySweep, type SweepCandidate, sweepDue } from './sweep-due.ts';
import { readValues } from './values.ts';

/** Holdings of one round. Each one that is worth collecting costs requests to the chain. */
const MOST_AT_ONCE = 32;

/** The pause of a holding whose wallet's sweeper is being made. */
const SWEEPER_MS = 60_000;

/** Open collections of a chain at a time: the coin that each one needs may be at its address already. */
const MOST_OPEN = 200;

/** How often a holding is looked at while a payout waits for it. */
const DEMAND_MS = 5 * 60 * 1_000;

export async function startDue(collector: LeasedCollector): Promise<CollectOutcome> {
  const { writer, reader, transact, world, lease, rates, policy } = collector;
  const { definition } = writer;
  const [chain, nativeId] = [definition.name, nativeCurrency(definition).currencyId];
  const nowMs = world.nowMs();
  const underway = await readUnderway(reader, { chain, nativeId, sinceMs: nowMs - BUDGET_MS });
  const limit = Math.min(policy.sponsored ? MOST_SWEPT : MOST_AT_ONCE, MOST_OPEN - underway.open);
  const demands = await readDemands(reader, chain);
  const query = { chain, nativeId, nowMs, limit, demands, lookedBeforeMs: nowMs - DEMAND_MS };
  const due = limit > 0 ? await readDueHoldings(reader, query) : [];
  if (due.length === 0) return 'idle';
  const ids = new Set([nativeId, ...due.map(({ currencyId }) => currencyId)]);
  const values = await readValues(
    rates,
    definition.currencies.filter(({ currencyId }) => ids.has(currencyId)),
  );
  const demanded = new Set(demands.map(demandOf));
  const looks: HoldingLook[] = [];
  const empty: LookedAt[] = [];
  let spent: Amount = underway.spent;
  let stake = await stakeUnderway(collector, chain, nativeId);
  const candidates: SweepCandidate[] = [];
  for (const holding of due) {
    const around = { values, spent, underway: stake, isDemanded: demanded.has(demandOf(holding)) };
    collector.onItem(holdingItem(holding));
    const planned = await planDue(collector, holding, around);
    if (planned.kind === 'empty') empty.push(holding);
    if (planned.kind === 'look') looks.push(planned.look);
    if (planned.kind !== 'start') continue;
    const candidate = { holding, planned };
    if (maySweep(collector, candidate)) {
      candidates.push(candidate);
    } else {
      const started = await start(collector, holding, planned);
      if (started === 'lease-lost') return 'lease-lost';
      if (started !== 'started') continue;
    }
    spent = add(spent, planned.cost);
    if (planned.plan.stake !== null) stake = add(stake, planned.plan.stake.amount);
  }
  const waiting = await startTogether(collector, candidates);
  if (waiting === 'lease-lost') return waiting;
  for (const { holding } of waiting)
    looks.push(laterOf(holding, nowMs)('waiting', SWEEPER_MS, 'its sweeper is being made').look);
  collector.onItem(null);
  const isHeld = await transact((tx) => recordLooks(tx, { chain, looks, empty, nowMs, lease }));
  if (!isHeld) return 'lease-lost';
  return due.length === limit ? 'busy' : 'idle';
}

async function stakeUnderway(
  { reader, policy: { staker } }: LeasedCollector,
  chain: string,
  nativeId: number,
): Promise<Amount> {
  if (staker === null) return zero(nativeId);
  return (await readStakeInUse(reader, { chain, nativeId, staker: staker.address })).underway;
}

/**
 * Starts the candidates by app and token: in one sweep where that costs less, else each by itself. Returns the candidates
 * that wait for their sweeper.
 */
async function startTogether(
  collector: LeasedCollector,
  candidates: readonly SweepCandidate[],
): Promise<readonly SweepCandidate[] | 'lease-lost'> {
  const groups = new Map<string, SweepCandidate[]>();
  for (const one of candidates) {
    const key = demandOf(one.holding);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const waiting: SweepCandidate[] = [];
  for (const group of groups.values()) {
    const [first] = group;
    if (first !== undefined) collector.onItem(holdingItem(first.holding));
    const swept = await sweepDue(collector, group);
    if (swept === 'lease-lost') return swept;
    waiting.push(...swept.waiting);
    for (const { holding, planned } of swept.alone) {
      collector.onItem(holdingItem(holding));
      if ((await start(collector, holding, planned)) === 'lease-lost') return 'lease-lost';
    }
  }
  return waiting;
}

function demandOf({ appId, currencyId }: { readonly appId: string; readonly currencyId: number }): string {
  return `${appId} ${currencyId}`;
}

async function start(
  { writer, transact, world, lease, log, observer }: LeasedCollector,
  holding: DueHolding,
  planned: Extract<Planned, { readonly kind: 'start' }>,
): Promise<'started' | 'changed' | 'lease-lost'> {
  const { definition: chain } = writer;
  const collectionId = newCollectionId(world);
  const outgoingId = newOutgoingId(world);
  const nativeId = nativeCurrency(chain).currencyId;
  const input = {
    collectionId,
    outgoingId,
    chain,
    nativeId,
    holding,
    ...planned,
    nowMs: world.nowMs(),
    lease,
  };
  const started = await transact((tx) => startCollection(tx, input));
  if (started !== 'started') return started;
  observer.onCollection(chain.name, 'started');
  const { address, currencyId } = holding;
  const { method } = planned.plan;
  log.info(
    { flow: 'start-collection', chain: chain.name, collectionId, address, currencyId, method },
    'a deposit address is being emptied',
  );
  return started;
}
