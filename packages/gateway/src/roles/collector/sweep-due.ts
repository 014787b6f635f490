// Empties addresses of one app and token in one sweep where that costs less than funding each; the others are funded alone.
import { nativeCurrency } from '@ducat/core/chain/chain';
import { chooseSweep } from '@ducat/core/collection/choose-sweep';
import { BUDGET_MS } from '@ducat/core/collection/policy';
import { MOST_SWEEP_FEE } from '@ducat/core/collection/sweeper';
import { SWEEP_AGAIN_MS } from '@ducat/core/collection/sweeper-request';
import { assert } from '@ducat/core/assert';
import { add, type Amount, amountOf, compare, zero } from '@ducat/core/money/amount';
import type { PlannedTransfer, SweepGround, TransferEstimate } from '../../chains/port/writer.ts';
import { findBlock } from '../../db/tables/blocks.ts';
import { readCursors } from '../../db/tables/cursors.ts';
import type { DueHolding } from '../../db/tables/collections/holdings.ts';
import { readUnderway } from '../../db/tables/collections/collections.ts';
import { wasSweepTakenBack } from '../../db/tables/collections/sweepers.ts';
import { askSweeper } from '../../flows/collections/ask-sweeper.ts';
import { startSweep, type SweepPart } from '../../flows/collections/start-sweep.ts';
import { newCollectionId, newOutgoingId, newSweepId } from '../../runtime/ids.ts';
import { Outage } from '../../runtime/outage.ts';
import type { LeasedCollector } from './parts.ts';
import { type Planned, unlessAway } from './plan-due.ts';
import { gasWallet } from './wallets.ts';

/** A holding that would be funded, and may be swept with others. */
export interface SweepCandidate {
  readonly holding: DueHolding;
  readonly planned: Extract<Planned, { readonly kind: 'start' }>;
}

export interface Swept {
  /** To be funded, each by itself. */
  readonly alone: readonly SweepCandidate[];
  /** Their sweeper is being made. */
  readonly waiting: readonly SweepCandidate[];
}

/** A sweep has two addresses at least. */
const LEAST = 2;
/** A hundred addresses, halved six times, are less than two. */
const MOST_TRIES = 8;

/** The gas wallet, and the wallet of the app. */
type Between = Pick<PlannedTransfer, 'from' | 'to'>;

type Possible = Extract<TransferEstimate, { readonly outcome: 'possible' }>;

/** Whether a holding may be swept: at an address of tokens, at its first attempt, and only instead of a funding. */
export function maySweep({ policy }: LeasedCollector, { holding, planned }: SweepCandidate): boolean {
  // mark: swept-addresses-take-no-coin
  return policy.sponsored && planned.plan.method === 'funded' && holding.isOfTokens && holding.failures === 0;
}

/** `candidates` are of one app and one currency. Throws Outage where the signer or the database is away. */
export async function sweepDue(
  collector: LeasedCollector,
  candidates: readonly SweepCandidate[],
): Promise<Swept | 'lease-lost'> {
  const [first] = candidates;
  const nobody: Swept = { alone: candidates, waiting: [] };
  const isTogether = candidates.length >= LEAST && !(await wasTakenBack(collector));
  const ground = isTogether ? await readGround(collector, candidates) : null;
  if (first === undefined || ground === null) return nobody;
  const parts = partsOf(collector, candidates, ground);
  const { wallet } = first.planned;
  const between = { from: await gasWallet(collector), to: wallet };
  const sweep = await trySweep(collector, between, parts);
  if (sweep === null) return nobody;
  const deployment = ground.hasSweeper ? null : await estimateDeployment(collector, between);
  if (!ground.hasSweeper && deployment === null) return nobody;
  const swept = candidates.filter(({ holding }) => sweep.parts.some((part) => part.holding === holding));
  const left = candidates.filter((one) => !swept.includes(one));
  const choice = chooseSweep({
    alone: swept.map(({ planned }) => planned.cost),
    together: sweep.estimate.expected,
    deployment: deployment?.expected ?? null,
  });
  if (choice.kind === 'alone') return nobody;
  const common = { ...commonOf(collector), wallet, gasWallet: between.from };
  if (choice.kind === 'deploy') {
    const feeCap = capOf(deployment?.most ?? zero(common.nativeId));
    const { account } = first.holding;
    if (!(await fitsBudget(collector, deployment))) return nobody;
    const asked = await collector.transact((tx) => askSweeper(tx, { ...common, account, feeCap }));
    if (asked === 'lease-lost') return asked;
    if (asked === 'ask') note(collector, wallet, 'the sweeper of a wallet is being made');
    // Waiting for the sweeper is no loss: a funding would have to be final first as well.
    return asked === 'ask' || asked === 'wait' ? { alone: left, waiting: swept } : nobody;
  }
  const input = { ...common, ...choice, parts: sweep.parts, feeCap: capOf(sweep.estimate.most) };
  const began = await collector.transact((tx) => startSweep(tx, input));
  if (began === null) return 'lease-lost';
  for (const _ of began) collector.observer.onCollection(common.chain.name, 'started');
  if (began.length > 0)
    note(collector, wallet, `${began.length} deposit addresses are being emptied together`);
  return { alone: left, waiting: [] };
}

/** Whether the chain's newest sweep was withdrawn or given up lately: its obstacle would stop the next sweep, too. */
function wasTakenBack({ reader, writer, world }: LeasedCollector): Promise<boolean> {
  return wasSweepTakenBack(reader, writer.definition.name, world.nowMs() - SWEEP_AGAIN_MS);
}

function commonOf({ writer, world, lease }: LeasedCollector) {
  const { definition: chain } = writer;
  const nativeId = nativeCurrency(chain).currencyId;
  const ids = { sweepId: newSweepId(world), outgoingId: newOutgoingId(world) };
  return { ...ids, chain, nativeId, nowMs: world.nowMs(), lease };
}

/** The fee cap: twice the most that it would cost now, and never a fee that nodes refuse. */
function capOf(most: Amount): Amount {
  const [twice, bound] = [add(most, most), amountOf(most.currencyId, MOST_SWEEP_FEE)];
  return compare(twice, bound) > 0 ? bound : twice;
}

/** Whether the day's budget has room for making the sweeper. */
async function fitsBudget(
  { reader, writer, policy, world }: LeasedCollector,
  deployment: Possible | null,
): Promise<boolean> {
  const nativeId = nativeCurrency(writer.definition).currencyId;
  const query = { chain: writer.definition.name, nativeId, sinceMs: world.nowMs() - BUDGET_MS };
  const { spent } = await readUnderway(reader, query);
  return compare(add(spent, deployment?.expected ?? zero(nativeId)), policy.dailyBudget) <= 0;
}

function note({ log, writer }: LeasedCollector, wallet: string, text: string): void {
  log.info({ flow: 'start-sweep', chain: writer.definition.name, wallet }, text);
}

/** What the chain has for the sweep after the newest final block; null where no quorum reports it. */
async function readGround(
  { reader, writer }: LeasedCollector,
  candidates: readonly SweepCandidate[],
): Promise<SweepGround | null> {
  const { name } = writer.definition;
  const finalNumber = (await readCursors(reader)).get(name)?.finalNumber ?? null;
  const at = finalNumber === null ? null : await findBlock(reader, name, finalNumber);
  const [first] = candidates;
  if (at === null || first === undefined) return null;
  const addresses = candidates.map(({ holding }) => holding.address);
  const ground = await unlessAway(writer.sweepGround(first.planned.wallet, addresses, at));
  return ground instanceof Outage ? null : ground;
}

/**
 * The candidates whose address can be swept. An authorisation spends a nonce of its address, so an address whose nonces are
 * counted as a sender's is left out. So is one that delegates nowhere and has a spent nonce: it sent something by itself, or
 * its delegation was taken back.
 */
function partsOf(
  { world }: LeasedCollector,
  candidates: readonly SweepCandidate[],
  { accounts }: SweepGround,
): readonly SweepPart[] {
  return candidates.flatMap(({ holding, planned }, place) => {
    const account = accounts[place];
    const isThere = account?.delegates === 'to-sweeper';
    const isUnused = account?.delegates === 'nowhere' && account.nonce === 0 && !holding.isSender;
    // mark: counted-nonces-are-not-authorised
    if (!isThere && !isUnused) return [];
    const nonce = isThere ? null : 0;
    return [{ collectionId: newCollectionId(world), holding, amount: planned.plan.amount, nonce }];
  });
}

/** The parts of which the chain would move the whole amount, with their estimate; null where fewer than two remain. */
async function trySweep(
  collector: LeasedCollector,
  between: Between,
  parts: readonly SweepPart[],
): Promise<{ readonly parts: readonly SweepPart[]; readonly estimate: Possible } | null> {
  let tried = parts;
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    const found = tried.length < LEAST ? null : await estimateSweep(collector, between, tried);
    if (found === null) return null;
    const moving = tried.filter(({ amount }, place) => {
      const moved = found.swept?.[place];
      // mark: a-sweep-is-tried-before
      return moved !== undefined && compare(moved, amount) >= 0;
    });
    // mark: a-sweep-costs-less-than-nodes-refuse
    const isTooDear = compare(found.most, amountOf(found.most.currencyId, MOST_SWEEP_FEE)) > 0;
    if (moving.length === tried.length && !isTooDear) return { parts: tried, estimate: found };
    // The next try leaves out parts that would not move in full, and half of the rest where the sweep may cost too much.
    tried = isTooDear ? moving.slice(0, Math.floor(moving.length / 2)) : moving;
  }
  return null;
}

function estimateSweep(
  collector: LeasedCollector,
  between: Between,
  parts: readonly SweepPart[],
): Promise<Possible | null> {
  const [first] = parts;
  assert(first !== undefined, 'a sweep has addresses');
  const { currencies } = collector.writer.definition;
  const currency = currencies.find(({ currencyId }) => currencyId === first.amount.currencyId);
  assert(currency !== undefined, 'what is planned has a currency');
  const amount = parts.map((part) => part.amount).reduce(add, zero(currency.currencyId));
  const from = parts.map(({ holding: { index, address }, nonce }) => ({ index, address, nonce }));
  return estimate(collector, { ...between, currency, amount, sweeping: { type: 'sweep', from } });
}

function estimateDeployment(collector: LeasedCollector, between: Between): Promise<Possible | null> {
  const currency = nativeCurrency(collector.writer.definition);
  const amount = zero(currency.currencyId);
  return estimate(collector, { ...between, currency, amount, sweeping: { type: 'deploy' } });
}

/** Null where the transfer is impossible, the gas wallet cannot pay for it, or no provider answers. */
async function estimate({ writer }: LeasedCollector, planned: PlannedTransfer): Promise<Possible | null> {
  const found = await unlessAway(writer.estimate(planned));
  if (found instanceof Outage || found.outcome === 'impossible') return null;
  return found.shortOf.length > 0 ? null : found;
}
