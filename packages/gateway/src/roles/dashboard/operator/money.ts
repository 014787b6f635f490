// For operators: money across all merchants, which addresses hold it, and whether the books agree with the chains.
import { add, compare, isPositive, zero } from '@ducat/core/money/amount';
import { nativeCurrency } from '@ducat/core/chain/chain';
import { readOpenOutgoing } from '../../../db/reports/dashboard/money/outgoing-story.ts';
import { listMerchantPayouts } from '../../../db/reports/dashboard/money/payout-list.ts';
import {
  readDifferences,
  readFindings,
  readReserves,
  readSenderStates,
} from '../../../db/reports/dashboard/operator/reserves-report.ts';
import { listReceipts } from '../../../db/reports/dashboard/orders/receipt-list.ts';
import { readBooksReport } from '../../../db/reports/books-report.ts';
import { readGasUse } from '../../../db/reports/gas-use.ts';
import { readWalletsReport } from '../../../db/reports/wallets-report.ts';
import { answer, type Handler, unknown } from '../call.ts';
import { BEHIND_ALL, DEFAULT_ROWS, nextOf } from '../merchant-scope.ts';
import { cursorText, presentReceipt, receiptCursor } from '../orders/receipts.ts';
import { presentOutgoing } from '../orders/timeline-entries.ts';
import { presentPayout } from '../payouts/payout-rows.ts';
import { chainNamed, readTexts, seconds, secondsOrNull, type Texts } from '../texts.ts';
import type { WalletsReport } from '../../../db/reports/wallets-report.ts';

const MOST_SHOWN = 100;
const DAY_MS = 86_400_000;

export const handlePayoutListAll: Handler<'payouts.list-all'> = async ({ deps, nowMs }, request) => {
  const limit = request.limit ?? DEFAULT_ROWS;
  const payouts = await listMerchantPayouts(deps.reader, {
    appIds: null,
    isOpen: request.open_only,
    before: request.cursor ?? BEHIND_ALL,
    from: '',
    now: seconds(nowMs),
    limit,
  });
  const texts = await readTexts(deps);
  return answer({
    payouts: payouts.map((payout) => ({
      ...presentPayout(payout, texts),
      merchant_id: payout.merchantId,
      merchant_name: payout.merchantName,
    })),
    next_cursor: nextOf(payouts, limit, ({ tradeNo }) => tradeNo),
  });
};

export const handleReceiptListAll: Handler<'receipts.list-all'> = async ({ deps }, request) => {
  const limit = request.limit ?? DEFAULT_ROWS;
  const behind = receiptCursor(request.cursor);
  const receipts = await listReceipts(deps.reader, { appIds: null, behind, limit });
  const texts = await readTexts(deps);
  return answer({
    receipts: receipts.map((receipt) => ({
      ...presentReceipt(receipt, texts),
      merchant_id: receipt.merchantId,
      merchant_name: receipt.merchantName,
    })),
    next_cursor: nextOf(receipts, limit, cursorText),
  });
};

export const handleOpenOutgoing: Handler<'outgoing.list-open'> = async ({ deps }, wish) => {
  const open = await readOpenOutgoing(deps.reader, {
    state: wish.state,
    chain: wish.chain,
    merchantId: wish.subject_merchant_id,
    limit: MOST_SHOWN + 1,
  });
  const texts = await readTexts(deps);
  return answer({
    transactions: open.slice(0, MOST_SHOWN).map((one) => ({
      ...presentOutgoing(one, texts),
      chain: one.chain,
      subject_id: one.subjectId,
      merchant_id: one.owner?.merchantId ?? null,
      merchant_name: one.owner?.merchantName ?? null,
      app_name: one.owner?.appName ?? null,
    })),
    is_cut_short: open.length > MOST_SHOWN,
  });
};

export const handleWallets: Handler<'wallets.list'> = async ({ deps, nowMs }, { chain: name }) => {
  const { reader } = deps;
  const chain = chainNamed(deps, name);
  if (chain === null) return unknown('chain');
  const nativeId = nativeCurrency(chain).currencyId;
  const query = { chain: name, family: chain.family };
  const report = await readWalletsReport(reader, query);
  const use = await readGasUse(reader, { ...query, nativeId, sinceMs: nowMs - DAY_MS });
  const senders = await readSenderStates(reader, name, MOST_SHOWN);
  const texts = await readTexts(deps);
  return answer({
    wallets: walletsOf(report, name, texts),
    deposits: report.deposits.map(texts.money),
    holdings: report.holdings.map(({ appId, state, addresses, held }) => ({
      app_id: appId,
      state: stateOf(state),
      addresses,
      ...texts.money(isPositive(held) ? held : zero(held.currencyId)),
    })),
    spent_currency_id: nativeId,
    spent: texts.amount(use?.spent ?? zero(nativeId)),
    senders: senders.map((sender) => ({
      sender_id: sender.senderId,
      chain: name,
      address: texts.address(name, sender.address),
      next_nonce: sender.nextNonce,
      final_nonce: sender.finalNonce,
      stopped_reason: sender.stoppedReason,
      stopped_at: secondsOrNull(sender.stoppedAtMs),
    })),
  });
};

/** The report has a row for each currency that a wallet ever had. */
function walletsOf({ wallets }: WalletsReport, chain: string, texts: Texts) {
  const byAddress = new Map<string, { app_id: string | null; held: ReturnType<Texts['money']>[] }>();
  for (const { address, appId, held } of wallets) {
    const known = byAddress.get(address) ?? { app_id: appId, held: [] };
    byAddress.set(address, known);
    if (held !== null) known.held.push(texts.money(held));
  }
  return [...byAddress].map(([address, wallet]) => ({ address: texts.address(chain, address), ...wallet }));
}

const STATES = ['waiting', 'small', 'frozen', 'collecting'] as const;

function stateOf(state: string): (typeof STATES)[number] {
  return STATES.find((known) => known === state) ?? 'waiting';
}

export const handleReserves: Handler<'reserves.read'> = async ({ deps }) => {
  const { reader, catalogue } = deps;
  const chains = catalogue.chains().flatMap(({ definition, on }) => (on ? [definition.name] : []));
  const books = await readBooksReport(reader, chains);
  const findings = await readFindings(reader, MOST_SHOWN);
  const differences = await readDifferences(reader, MOST_SHOWN);
  const reserves = await readReserves(reader);
  const texts = await readTexts(deps);
  return answer({
    audit: {
      at: books.audit.atMs === 0 ? null : seconds(books.audit.atMs),
      findings: findings.map(({ finding, foundAtMs }) => ({ finding, found_at: seconds(foundAtMs) })),
    },
    checks: books.checks.map((check) => ({
      chain: check.chain,
      currency_id: check.currencyId,
      round_started_at: seconds(check.round.startedMs),
      round_checked: check.roundChecked,
      last_round_checked: check.lastRoundChecked,
      trouble: check.trouble,
      trouble_since: secondsOrNull(check.troubleSinceMs),
    })),
    differences: differences.map(({ chain, currencyId, address, expected, actual, atBlock, sinceMs }) => ({
      chain,
      currency_id: currencyId,
      address: texts.address(chain, address),
      expected: texts.amount(expected),
      actual: texts.amount(actual),
      at_block: atBlock,
      since: seconds(sinceMs),
    })),
    outflows: books.outflows.map(({ chain, total }) => ({ chain, ...texts.money(total) })),
    reserves: reserves.map(({ currencyId, held, owed, unassigned, ownFees }) => ({
      currency_id: currencyId,
      held: texts.amount(held),
      owed_to_merchants: texts.amount(owed),
      unassigned: texts.amount(unassigned),
      own_fees: texts.amount(ownFees),
      is_covered: compare(held, add(owed, unassigned)) >= 0,
    })),
  });
};
