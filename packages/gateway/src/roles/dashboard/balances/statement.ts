// The statement of an app in one currency: balances.statement page by page, and the sums of a whole span.
import type { RequestOf } from '@ducat/contract/dashboard/registry';
import { sumStatement } from '../../../db/reports/dashboard/money/entry-sides.ts';
import {
  BEHIND_ENTRIES,
  firstEntryAt,
  listStatement,
  readOrdersOf,
  readStatementTotals,
  type StatementLine,
  type StatementSpan,
  sumReceipts,
} from '../../../db/reports/dashboard/money/statement.ts';
import { findOwnApp } from '../apps/own-app.ts';
import { answer, type Handler, refusal, unknown } from '../call.ts';
import { DEFAULT_ROWS, type MerchantCall } from '../merchant-scope.ts';
import { readTexts, seconds, type Texts, usdText } from '../texts.ts';
import { readLineSides, sideTexts } from './line-sides.ts';
import { createTurns } from './turns.ts';

/** A sum over all entries of a large shop takes a connection for seconds; this process has few, for all merchants. */
const inTurn = createTurns(8);

export const handleStatement: Handler<'balances.statement'> = async (call, request) => {
  const { app_id: appId, cursor, limit = DEFAULT_ROWS } = request;
  if ((await findOwnApp(call, appId)) === null) return unknown('app');
  const behind = cursor === undefined ? BEHIND_ENTRIES : Number(cursor);
  if (!Number.isSafeInteger(behind))
    return refusal('field-invalid', 'is no next_cursor', { field: 'cursor' });
  const span = await spanOf(call, request);
  const page = { ...span, before: Math.min(span.before, behind) };
  const { lines, isWhole } = await listStatement(call.reader, page, { limit });
  const totals = cursor === undefined ? await readStatementTotals(call.reader, span) : [];
  const texts = await readTexts({ ...call.deps, reader: call.reader });
  const shown = await presenterOf(call, lines, texts);
  const last = lines.at(-1);
  return answer({
    totals: totals.map(({ account, opening, came, went, closing }) => ({
      account,
      opening: texts.amount(opening),
      came: texts.amount(came),
      went: texts.amount(went),
      closing: texts.amount(closing),
    })),
    postings: lines.map(shown),
    next_cursor: isWhole || last === undefined ? null : String(last.entryId),
  });
};

/** Presents lines of one currency, with the sides of their entries and the orders of their receipts. */
async function presenterOf({ reader, deps }: MerchantCall, lines: readonly StatementLine[], texts: Texts) {
  const sidesOf = await readLineSides(deps.reader, lines);
  const references = lines.flatMap(({ receipt, reference }) => (receipt === null ? [] : [reference]));
  const orders = await readOrdersOf(reader, references);
  return (line: StatementLine) => {
    const { entryId, atMs, fact, reference, account, amount, receipt } = line;
    const sides = sidesOf(line);
    return {
      entry_id: entryId,
      at: seconds(atMs),
      fact,
      reference,
      account,
      amount: texts.amount(amount),
      sides: sides === null ? null : sideTexts(sides, texts),
      receipt:
        receipt === null
          ? null
          : {
              tx_id: txIdOf(reference),
              value_usd: usdText(receipt.known?.value ?? null),
              trade_no: orders.get(reference) ?? null,
            },
    };
  };
}

/** Receipts are named chain/transaction/position, as core's `transferReference` writes it. */
function txIdOf(reference: string): string {
  return reference.split('/')[1] ?? '';
}

/** `from` and `to` are compared with the times of the entries; a side that is left out is unbounded. */
export async function spanOf(
  { reader }: Pick<MerchantCall, 'reader'>,
  request: Pick<RequestOf<'balances.export-statement'>, 'app_id' | 'currency_id' | 'from' | 'to'>,
): Promise<StatementSpan> {
  const { app_id: appId, currency_id: currencyId, from, to } = request;
  const entryAt = (time: number) => firstEntryAt(reader, { appId, currencyId, atMs: time * 1_000 });
  return {
    appId,
    currencyId,
    from: from === undefined ? 0 : await entryAt(from),
    before: to === undefined ? BEHIND_ENTRIES : await entryAt(to),
  };
}

export const handleStatementSum: Handler<'balances.sum-statement'> = async (call, request) => {
  if ((await findOwnApp(call, request.app_id)) === null) return unknown('app');
  const sum = inTurn(call.merchantId, async () =>
    sumStatement(call.deps.reader, await spanOf(call, request)),
  );
  if (sum === null) return SUMS_UNDER_WAY;
  const { opening, closing, sides, days } = await sum;
  const texts = await readTexts({ ...call.deps, reader: call.reader });
  return answer({
    opening: texts.amount(opening),
    ...sideTexts(sides, texts),
    closing: texts.amount(closing),
    days: days.map(({ day, ...ofDay }) => ({ day, ...sideTexts(ofDay, texts) })),
  });
};

export const handleReceiptSum: Handler<'balances.sum-receipts'> = async (call, request) => {
  if ((await findOwnApp(call, request.app_id)) === null) return unknown('app');
  const sum = inTurn(call.merchantId, async () => sumReceipts(call.reader, await spanOf(call, request)));
  if (sum === null) return SUMS_UNDER_WAY;
  const { receipts, unpriced, value } = await sum;
  return answer({ receipts, unpriced, value_usd: usdText(value) });
};

const SUMS_UNDER_WAY = refusal('too-many', 'sums of this merchant are under way', { retryAfterS: 10 });
