// Which payouts are still under way in quiet time, and what moves them on.
import { balanceAt } from '../nodes/sim-block.ts';
import type { Payment } from '../actors/shoppers.ts';
import type { Simulation } from '../simulation.ts';
import type { Outgoing } from './outgoing.ts';
import { type OutgoingRows, type PayoutRow, readOutgoing } from './payout-books.ts';
import { approvePayouts, askForPayout, resumeCurrencies } from './payout-moves.ts';
import { sendSomethingBack } from './refunds/refund-moves.ts';
import { walletCoin } from './payout-scene.ts';
import { payoutCallsFor } from './payout-plans.ts';

/** A wait of this length is longer than what the blocks of quiet time bring along. */
const LONG_MS = 60_000;
/** Twice as long as the longest wait of the product. */
const LONGEST_LOOK_MS = 120_000;

export interface PayoutsLeft {
  readonly what: string;
  /** When the next attempt is due; null while blocks have to move it on. */
  readonly nextMs: number | null;
}

export async function payoutsLeft(sim: Simulation, outgoing: Outgoing): Promise<PayoutsLeft | null> {
  const rows = await readOutgoing(sim.real.reader);
  for (const one of rows.variants) {
    const isLate = one.state === 'signed' && (one.next_at_ms ?? 0) > sim.scheduler.nowMs + LONGEST_LOOK_MS;
    const message = `${one.outgoing_id} is looked at again at ${one.next_at_ms}`;
    sim.findings.expect(!isLate, '32 what was sent is looked for', message);
  }
  const unanswered = outgoing.payoutPlans.filter(
    ({ amount, answer, isRefused }) => amount !== null && answer === null && !isRefused,
  );
  const open = rows.payouts.filter(({ status }) => status === 'PROGRESS' || status === 'CONFIRMING-PROGRESS');
  const underway = rows.variants.filter((one) => one.next_at_ms !== null);
  const [first] = open;
  const what =
    unanswered.length > 0
      ? `${unanswered.length} payouts are not answered`
      : first !== undefined
        ? standing(first, rows)
        : underway.length > 0
          ? `${underway[0]?.outgoing_id} is ${underway[0]?.state}: ${underway[0]?.trouble}`
          : rows.collections > 0
            ? `${rows.collections} collections are open`
            : rows.energy.length > 0
              ? `the energy of ${rows.energy[0]?.collection_id} is out`
              : null;
  if (what === null) return null;
  const nextMs = nextLookMs(rows, open.length > 0);
  // A wallet that lacks coin waits for an operator and for blocks, however long it is until the next attempt.
  const isShort = wantedCoin(sim, outgoing).length > 0;
  const isLong = !isShort && nextMs !== null && nextMs > sim.scheduler.nowMs + LONG_MS;
  return { what, nextMs: isLong ? nextMs : null };
}

function standing(payout: PayoutRow, { variants }: OutgoingRows): string {
  const { trade_no: tradeNo, status, chain, receipt, currency_id: currencyId } = payout;
  const own = variants.findLast(({ subject_id: id }) => id === tradeNo);
  const sent = own === undefined ? 'not asked to be sent' : `${own.state}: ${own.trouble}`;
  return `payout ${tradeNo} of ${receipt} in ${currencyId} on ${chain} is ${status}, ${sent}`;
}

/**
 * When the next attempt is due: of outgoing transactions, of returns of energy, and of holdings if a payout waits for
 * them.
 */
function nextLookMs({ variants, energy, holding_ms }: OutgoingRows, isWanted: boolean): number | null {
  const due = variants.flatMap(({ next_at_ms }) => next_at_ms ?? []);
  due.push(...energy.flatMap(({ is_over, return_at_ms }) => (is_over ? (return_at_ms ?? []) : [])));
  if (isWanted && holding_ms !== null) due.push(holding_ms);
  return due.length === 0 ? null : Math.min(...due);
}

/** Merchants ask again until they are answered, and second persons approve. */
export async function movePayoutsOn(sim: Simulation, outgoing: Outgoing): Promise<void> {
  for (const plan of outgoing.payoutPlans) {
    const isOpen = plan.answer === null && !plan.isRefused;
    if (isOpen && payoutCallsFor(plan) === 0) await askForPayout(sim, plan);
  }
  if (outgoing.refundsLeft-- > 0) await sendSomethingBack(sim, outgoing);
  await approvePayouts(sim, outgoing);
  await resumeCurrencies(sim);
  sim.payments.push(...wantedCoin(sim, outgoing));
}

/** Payments to wallets that hold less than half of their first coin, because a fork may have taken it away. */
function wantedCoin({ setup, chains, scheduler }: Simulation, { weather }: Outgoing): readonly Payment[] {
  return walletCoin(setup, chains, weather, scheduler.nowMs).filter(({ chain, valueTransfers }) =>
    valueTransfers.some(({ to, currencyId, units }) => balanceAt(chain.tip, to, currencyId) * 2n < units),
  );
}
