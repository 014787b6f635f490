// Sends coin of the gas wallet to the wallets of apps whose payouts could not pay their network fees.
import { type ChainDefinition, nativeCurrency } from '@ducat/core/chain/chain';
import type { Currency } from '@ducat/core/chain/currency';
import { BUDGET_MS } from '@ducat/core/collection/policy';
import { planTopUp } from '@ducat/core/collection/top-up';
import { add, type Amount, subtract } from '@ducat/core/money/amount';
import { type BusyWallet, readBusyWallets, sumTopUps } from '../../db/tables/collections/top-ups.ts';
import { readCursor } from '../../db/tables/cursors.ts';
import { startTopUp } from '../../flows/collections/start-top-up.ts';
import { withdrawTopUp } from '../../flows/collections/withdraw-top-up.ts';
import { newOutgoingId, newTopUpId } from '../../runtime/ids.ts';
import { Outage } from '../../runtime/outage.ts';
import { estimateFunding } from './estimate-funding.ts';
import type { TopUpEvent } from './observer.ts';
import type { LeasedCollector } from './parts.ts';
import { payoutCost, usualCurrency } from './payout-cost.ts';
import { unlessAway } from './plan-due.ts';

/** Wallets of one look, those that hold the least first. Each costs a request to the chain. */
const MOST_AT_ONCE = 32;

/** A top-up that still cannot be signed after this time is withdrawn. */
const TROUBLE_MS = 60 * 60 * 1_000;

/**
 * Throws Outage where the database is away. Where the chain is away, or one token, it does so after every wallet had its
 * turn: one token that does not answer must not keep the others waiting. False where another process collects on the chain
 * now.
 */
export async function topUpWallets(collector: LeasedCollector): Promise<boolean> {
  const { writer, reader, policy, world } = collector;
  const { name: chain, family } = writer.definition;
  const nativeId = nativeCurrency(writer.definition).currencyId;
  const cursor = await readCursor(reader, chain);
  if (cursor === null || cursor.haltedReason !== null) return true;
  const wallets = await readBusyWallets(reader, { chain, nativeId, limit: MOST_AT_ONCE });
  if (wallets.length === 0) return true;
  const sinceMs = world.nowMs() - BUDGET_MS;
  let spent: Amount = await sumTopUps(reader, { chain, family, nativeId, sinceMs });
  let outage: Outage | null = null;
  for (const wallet of wallets) {
    const budgetLeft = subtract(policy.topUpBudget, spent);
    const sent = wallet.topUp === null ? await topUpOne(collector, wallet, budgetLeft) : null;
    if (wallet.topUp !== null) await takeBack(collector, wallet.topUp);
    if (sent === 'lease-lost') return false;
    if (sent instanceof Outage) outage ??= sent;
    else if (sent !== null) spent = add(spent, sent);
  }
  if (outage !== null) throw outage;
  return true;
}

/** The coin that is sent to the wallet; null where none is. An Outage where it is not known what a payout costs. */
async function topUpOne(
  collector: LeasedCollector,
  wallet: BusyWallet,
  budgetLeft: Amount,
): Promise<Amount | Outage | 'lease-lost' | null> {
  const { writer, policy, transact, world, lease } = collector;
  const cost = await unlessAway(payoutCost(writer, wallet.address, currencyOf(wallet, writer.definition)));
  if (cost === null || cost instanceof Outage) return cost;
  const planned = planTopUp(
    { ...wallet, perPayout: cost.most },
    { payouts: policy.topUpPayouts, budgetLeft },
  );
  if (planned.kind === 'enough') return null;
  if (planned.kind === 'over-budget') {
    report(collector, wallet, 'over-budget', "the day's budget has no room for the fees of an app's payouts");
    return null;
  }
  const {
    from: gasWallet,
    feeCap,
    isShort,
  } = await estimateFunding(collector, wallet.address, planned.amount);
  collector.observer.onGasShort(writer.definition.name, isShort);
  if (isShort) {
    report(collector, wallet, 'gas-short', "the gas wallet has too little for the fees of an app's payouts");
    return null;
  }
  const input = {
    topUpId: newTopUpId(world),
    outgoingId: newOutgoingId(world),
    chain: writer.definition,
    gasWallet,
    wallet,
    amount: planned.amount,
    feeCap,
    nowMs: world.nowMs(),
    lease,
  };
  const started = await transact((tx) => startTopUp(tx, input));
  if (started !== 'started') return started === 'lease-lost' ? started : null;
  report(collector, wallet, 'started', 'the wallet of an app gets coin for the fees of its payouts');
  return planned.amount;
}

/** Payouts of a token go on after it was switched off, and it costs more to send than the coin. */
function currencyOf({ openToken }: BusyWallet, definition: ChainDefinition): Currency {
  const usual = usualCurrency(definition);
  const open = definition.currencies.find(({ currencyId }) => currencyId === openToken);
  return usual.contract === null ? (open ?? usual) : usual;
}

async function takeBack(
  collector: LeasedCollector,
  { topUpId, state, troubleSinceMs }: NonNullable<BusyWallet['topUp']>,
): Promise<void> {
  const { transact, world, lease, writer, observer } = collector;
  const nowMs = world.nowMs();
  if (state !== 'waiting' || troubleSinceMs === null || troubleSinceMs > nowMs - TROUBLE_MS) return;
  const chain = writer.definition.name;
  // mark: a-top-up-is-taken-back-unsigned
  if (await transact((tx) => withdrawTopUp(tx, { topUpId, chain, nowMs, lease })))
    observer.onTopUp(chain, 'withdrawn');
}

function report(
  { writer, log, observer }: LeasedCollector,
  { address: wallet }: BusyWallet,
  event: TopUpEvent,
  text: string,
): void {
  const chain = writer.definition.name;
  observer.onTopUp(chain, event);
  const fields = { flow: 'start-top-up', chain, wallet };
  if (event === 'started') log.info(fields, text);
  else log.error(fields, text);
}
