// Finds out what waiting transactions would cost now, and prepares those that can be sent.
import { type Currency, isNativeCurrency } from '@ducat/core/chain/currency';
import { type Amount, isPositive } from '@ducat/core/money/amount';
import { formatAmount } from '@ducat/core/money/decimal';
import { capTerms } from '@ducat/core/outgoing/cap-terms';
import { mayBuildAnother } from '@ducat/core/outgoing/delegation';
import { offerAll } from '@ducat/core/outgoing/offer-all';
import { MOST_OPEN, nonceRoom } from '@ducat/core/outgoing/outgoing';
import { pauseMs, roundMs } from '@ducat/core/outgoing/pace';
import { refusalIn } from '@ducat/core/outgoing/refusal';
import { countAffordable, type CoinNeed } from '@ducat/core/outgoing/affordable';
import { stillShort } from '@ducat/core/outgoing/still-short';
import { type Turn, turnOf } from '@ducat/core/outgoing/turn';
import type { PlannedTransfer, Shortage, TransferEstimate } from '../../chains/port/writer.ts';
import type { DueOutgoing } from '../../db/tables/outgoing/due-outgoing.ts';
import type { NextLook } from '../../db/tables/outgoing/look-again.ts';
import { type Preparable, prepareOutgoing } from '../../flows/outgoing/prepare-outgoing.ts';
import { recordSends } from '../../flows/outgoing/record-sends.ts';
import { Outage } from '../../runtime/outage.ts';
import type { LeasedPayer, PayOutcome } from './parts.ts';

/** The pause in milliseconds where an operator has to act first. */
const WAIT_FOR_OPERATOR_MS = 60_000;

/** `waiting` are of one chain, in the order in which they fell due. Throws Outage where nothing can be estimated. */
export async function prepareWaiting(
  payer: LeasedPayer,
  waiting: readonly DueOutgoing[],
): Promise<PayOutcome> {
  const bySender = new Map<number, DueOutgoing[]>();
  for (const one of waiting) bySender.set(one.senderId, [...(bySender.get(one.senderId) ?? []), one]);
  let outcome: PayOutcome = 'idle';
  for (const [senderId, ofSender] of bySender) {
    const prepared = await prepareSender(payer, senderId, ofSender);
    if (prepared === 'lease-lost') return prepared;
    if (prepared === 'busy') outcome = prepared;
  }
  return outcome;
}

async function prepareSender(
  payer: LeasedPayer,
  senderId: number,
  waiting: readonly DueOutgoing[],
): Promise<PayOutcome> {
  const { writer, transact, world, lease } = payer;
  const { definition } = writer;
  const turn = triedNow(payer, waiting);
  const tried = await Promise.all(turn.tried.map((one) => tryOne(payer, one)));
  const looks = tried.filter((one): one is NextLook => 'trouble' in one);
  const possible = tried.filter((one): one is Tried => 'preparable' in one);
  const affordable = countAffordable(
    possible.map(({ cost }) => cost),
    waiting[0]?.ofSender.pending ?? 0,
  );
  const ready = possible.slice(0, affordable).map(({ preparable }) => preparable);
  let count = 0;
  let reason: string | null = null;
  if (ready.length > 0) {
    const input = { chain: definition, senderId, ready, mostOpen: MOST_OPEN, nowMs: world.nowMs(), lease };
    const prepared = await transact((tx) => prepareOutgoing(tx, input));
    if (prepared.outcome === 'lease-lost') return 'lease-lost';
    if (prepared.outcome === 'prepared') count = prepared.count;
    else reason = prepared.reason;
  }
  const nowMs = world.nowMs();
  const forOthersMs = nowMs + roundMs(definition.blockTimeMs);
  const nextAtMs = reason === null ? forOthersMs : nowMs + WAIT_FOR_OPERATOR_MS;
  const unplaced = new Set(possible.slice(count).map(({ preparable: { outgoingId } }) => outgoingId));
  const others = waiting.flatMap((one): readonly NextLook[] => {
    const { outgoingId, dueAtMs } = one;
    const isTried = turn.tried.includes(one);
    if (isTried && !unplaced.has(outgoingId)) return [];
    // A refusal stays noted, because the signer was not asked again.
    const refusal = refusalIn(one.trouble) === null ? null : one.trouble;
    if (isTried && refusal === null) return [{ outgoingId, dueAtMs, nextAtMs, trouble: reason }];
    const untriedAtMs = turn.next.includes(one) ? dueAtMs : forOthersMs;
    return [
      { outgoingId, dueAtMs, nextAtMs: isTried ? nextAtMs : untriedAtMs, trouble: refusal, isUntried: true },
    ];
  });
  const input = { chain: definition.name, sent: [], looks: [...looks, ...others], nowMs, lease };
  if (!(await transact((tx) => recordSends(tx, input)))) return 'lease-lost';
  return count > 0 ? 'busy' : 'idle';
}

/**
 * Transactions beyond the free nonces are not estimated: nodes would get the same requests again and again. Tron has no
 * nonces, so all are tried there.
 */
function triedNow({ writer }: LeasedPayer, waiting: readonly DueOutgoing[]): Turn<DueOutgoing> {
  const [first] = waiting;
  if (writer.definition.family !== 'evm' || first === undefined) return { tried: waiting, next: [] };
  return turnOf(waiting, nonceRoom(first.ofSender));
}

/** A transaction that can be prepared if its sender has nothing else to send. */
interface Tried {
  readonly preparable: Preparable;
  readonly cost: CoinNeed | null;
}

/** What preparing the transaction takes, or the time of its next look and the reason why it waits. */
async function tryOne(payer: LeasedPayer, one: DueOutgoing): Promise<Tried | NextLook> {
  const { writer, world } = payer;
  const { outgoingId, dueAtMs, subject, key, from, to, amount, delegation, sweeping } = one;
  const later = (trouble: string): NextLook => ({
    outgoingId,
    dueAtMs,
    nextAtMs: world.nowMs() + pauseMs(one.failures + 1),
    trouble,
  });
  const currency = writer.definition.currencies.find(({ currencyId }) => currencyId === amount.currencyId);
  if (currency === undefined) return later(`currency ${amount.currencyId} is not on this chain`);
  if (one.senderStopped !== null) return later(`the sender is stopped: ${one.senderStopped}`);
  // mark: nothing-is-signed-in-a-suspended-currency
  if (one.isSuspended) return later('its currency is suspended');
  // After a restore it may be what paid this payout. The signer's log would refuse a second payment, if it is whole.
  // mark: what-an-outflow-paid-is-not-signed
  if (one.hasFittingOutflow) return later('an outflow that no payout has taken is exactly this transfer');
  const lastOrdinal = one.variant?.ordinal ?? 0;
  if (!mayBuildAnother(delegation, lastOrdinal))
    return later(`${lastOrdinal} transactions of it expired, and blocks hold none of them`);
  const asked = { from, to, currency, amount, delegation, sweeping };
  // mark: a-sweep-keeps-nobody-waiting
  const estimate = await writer.estimate(asked).catch((error: unknown) => outageOfSweep(asked, error));
  if (estimate instanceof Outage) return later(`no answer: ${estimate.message}`);
  // mark: a-sweep-that-moves-nothing-is-not-signed
  if (estimate.outcome === 'possible' && estimate.swept?.some(isPositive) === false)
    return later('the chain would move nothing of what it sweeps');
  // A deposit address is emptied of all its coin: the part that is not moved pays for the transfer.
  const isEmptied = subject.kind === 'collection' && isNativeCurrency(currency);
  const terms = termsOf(writer.definition.currencies, estimate, one.feeCap, isEmptied);
  if (typeof terms === 'string') return later(terms);
  const { unaided = null } = estimate.outcome === 'possible' ? estimate : {};
  const moved = isNativeCurrency(currency) && !isEmptied ? amount : null;
  return {
    preparable: { outgoingId, subject, key, currency, to, amount, delegation, sweeping, terms, lastOrdinal },
    cost: unaided === null || delegation !== null ? null : { ...unaided, moved },
  };
}

/**
 * Returns the Outage of a sweep, and throws every other error. A sweep asks more of nodes than other transfers do, so the
 * others go on where no node answers for a sweep.
 */
function outageOfSweep({ sweeping = null }: PlannedTransfer, error: unknown): Outage {
  if (sweeping !== null && error instanceof Outage) return error;
  throw error;
}

/** The terms to prepare the transaction with, or as text the reason why it has to wait. */
function termsOf(
  currencies: readonly Currency[],
  estimate: TransferEstimate,
  feeCap: Amount,
  isEmptied: boolean,
): Preparable['terms'] | string {
  if (estimate.outcome === 'impossible') return `${estimate.reason}: ${estimate.text}`;
  const { most, shortOf } = estimate;
  const capped = capTerms(estimate.terms, most, feeCap);
  const terms = isEmptied ? offerAll(estimate.terms, feeCap) : capped;
  if (capped === null || terms === null) return 'the network fee is above what it may cost';
  const short = stillShort(shortOf, { terms, most });
  // mark: nothing-is-signed-that-cannot-be-paid
  return short === null ? terms : shortageText(currencies, short);
}

function shortageText(currencies: readonly Currency[], { needed, held }: Shortage): string {
  const currency = currencies.find(({ currencyId }) => currencyId === needed.currencyId);
  if (currency === undefined) return `the sender is short of currency ${needed.currencyId}`;
  const [needs, has] = [needed, held].map((amount) => formatAmount(amount, currency));
  return `the sender needs ${needs} ${currency.symbol} and has ${has}`;
}
