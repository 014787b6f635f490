// The statement of an app in one currency: balances.statement page by page, and as CSV while it is sent.
import { add, type Amount, isPositive, subtract, zero } from '@ducat/core/money/amount';
import { formatDecimal } from '@ducat/core/money/decimal';
import { RATE_DECIMALS } from '@ducat/core/money/reading';
import { VALUE_DECIMALS } from '@ducat/core/payout/open-payout';
import type { RequestOf } from '@ducat/contract/dashboard/registry';
import {
  BEHIND_ENTRIES,
  firstEntryAt,
  listStatement,
  readStatementTotals,
  type StatementAccount,
  type StatementLine,
  type StatementSpan,
  sumReceipts,
} from '../../../db/reports/dashboard/money/statement.ts';
import { endStatement } from '../../../flows/merchants/end-statement.ts';
import { findOwnApp } from '../apps/own-app.ts';
import { answer, type Handler, refusal, unknown } from '../call.ts';
import { DEFAULT_ROWS, type MerchantCall } from '../merchant-scope.ts';
import { csvLine } from '../orders/csv-line.ts';
import { readTexts, seconds, type Texts, usdText } from '../texts.ts';
import { createTurns } from './turns.ts';

const ROWS_AT_ONCE = 1_000;
/** A sum over all receipts of a large shop takes a connection for seconds; this process has few, for all merchants. */
const inTurn = createTurns(8);
const BOOKED = ['time', 'entry', 'fact', 'reference', 'account', 'currency_id', 'in', 'out', 'balance'];
const HEADER = [...BOOKED, 'value_usd', 'price_usd', 'price_time', 'unpriced'];

export const handleStatement: Handler<'balances.statement'> = async (call, request) => {
  const { app_id: appId, cursor, limit = DEFAULT_ROWS } = request;
  if ((await findOwnApp(call, appId)) === null) return unknown('app');
  const behind = cursor === undefined ? BEHIND_ENTRIES : Number(cursor);
  if (!Number.isSafeInteger(behind))
    return refusal('field-invalid', 'is no next_cursor', { field: 'cursor' });
  const span = await spanOf(call, request);
  const page = { ...span, before: Math.min(span.before, behind) };
  const { lines, isWhole } = await listStatement(call.reader, page, { limit });
  const texts = await readTexts({ ...call.deps, reader: call.reader });
  const totals = cursor === undefined ? await readStatementTotals(call.reader, span) : [];
  const last = lines.at(-1);
  return answer({
    totals: totals.map(({ account, opening, came, went, closing }) => ({
      account,
      opening: texts.amount(opening),
      came: texts.amount(came),
      went: texts.amount(went),
      closing: texts.amount(closing),
    })),
    postings: lines.map(({ entryId, atMs, fact, reference, account, amount, receipt }) => ({
      entry_id: entryId,
      at: seconds(atMs),
      fact,
      reference,
      account,
      amount: texts.amount(amount),
      receipt: receipt === null ? null : { value_usd: usdText(receipt.known?.value ?? null) },
    })),
    next_cursor: isWhole || last === undefined ? null : String(last.entryId),
  });
};

/** Times are of the entries themselves; what is left out has no end. */
async function spanOf(
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

export const handleReceiptSum: Handler<'balances.sum-receipts'> = async (call, request) => {
  if ((await findOwnApp(call, request.app_id)) === null) return unknown('app');
  const sum = inTurn(call.merchantId, async () => sumReceipts(call.reader, await spanOf(call, request)));
  if (sum === null) return refusal('too-many', 'sums of this merchant are under way', { retryAfterS: 10 });
  const { receipts, unpriced, value } = await sum;
  return answer({ receipts, unpriced, value_usd: usd(value) });
};

export const handleStatementExport: Handler<'balances.export-statement'> = async (call, request) => {
  const { app_id: appId, currency_id: currencyId } = request;
  if ((await findOwnApp(call, appId)) === null) return unknown('app');
  const end = await call.deps.transact((tx) => endStatement(tx, appId, currencyId));
  const whole = await spanOf(call, request);
  const span = { ...whole, before: Math.min(whole.before, end) };
  const texts = await readTexts({ ...call.deps, reader: call.reader });
  const { from, to } = request;
  const detail = JSON.stringify({ currency_id: currencyId, from, to });
  await call.deps.transact((tx) => call.record(tx, { subject: appId, detail }));
  call.sendFile({
    name: `statement-${currencyId}.csv`,
    type: 'text/csv; charset=utf-8',
    parts: (left) => csvOf(call, span, texts, left),
  });
  return answer({});
};

/** What an account has come to so far. */
interface Sums {
  balance: Amount;
  /** In 10^-6 USD. */
  value: bigint;
  unpriced: number;
}

/** The oldest first, between what each account began and ended with. Nothing is booked any more in a span that has an end. */
async function* csvOf(
  { reader }: Pick<MerchantCall, 'reader'>,
  span: StatementSpan,
  { amount: text }: Pick<Texts, 'amount'>,
  left: AbortSignal,
): AsyncIterable<string> {
  const currencyId = String(span.currencyId);
  const sums = new Map<StatementAccount, Sums>(
    (await readStatementTotals(reader, span)).map(({ account, opening }) => [
      account,
      { balance: opening, value: 0n, unpriced: 0 },
    ]),
  );
  const standing = (what: string, receiptsOf: (sum: Sums) => readonly string[]) =>
    [...sums]
      .map(([account, sum]) =>
        csvLine(['', '', what, '', account, currencyId, '', '', text(sum.balance), ...receiptsOf(sum)]),
      )
      .join('');
  yield csvLine(HEADER) + standing('opening', () => NO_RECEIPT);
  let { from } = span;
  while (!left.aborted) {
    const { lines, isWhole } = await listStatement(
      reader,
      { ...span, from },
      { limit: ROWS_AT_ONCE, oldestFirst: true },
    );
    yield lines.map((line) => csvLine(fieldsOf(line, sums, text))).join('');
    if (isWhole) break;
    from = (lines.at(-1)?.entryId ?? from) + 1;
  }
  yield standing('closing', ({ value, unpriced }) => [usd(value), '', '', String(unpriced)]);
}

/** What came and what went stand in columns of their own: a sign at the front is a formula to spreadsheets. */
function fieldsOf(
  { entryId, atMs, fact, reference, account, amount, receipt }: StatementLine,
  sums: Map<StatementAccount, Sums>,
  text: Texts['amount'],
): readonly string[] {
  const { currencyId } = amount;
  const sum = sums.get(account) ?? { balance: zero(currencyId), value: 0n, unpriced: 0 };
  sum.balance = add(sum.balance, amount);
  sums.set(account, sum);
  const moved = isPositive(amount) ? [text(amount), ''] : ['', text(subtract(zero(currencyId), amount))];
  const booked = [timeText(atMs), String(entryId), fact, reference, account, String(currencyId)];
  return [...booked, ...moved, text(sum.balance), ...receiptFields(receipt, sum)];
}

const NO_RECEIPT = ['', '', '', ''];

/** Its value, the price and the time of that, and 1 where there is none of them. */
function receiptFields(receipt: StatementLine['receipt'], sum: Sums): readonly string[] {
  if (receipt === null) return NO_RECEIPT;
  if (receipt.known === null) {
    sum.unpriced += 1;
    return ['', '', '', '1'];
  }
  const { value, priceUnits, priceAt } = receipt.known;
  sum.value += value;
  return [usd(value), formatDecimal(priceUnits, RATE_DECIMALS), timeText(priceAt * 1_000), '0'];
}

const usd = (value: bigint) => formatDecimal(value, VALUE_DECIMALS);
const timeText = (ms: number) => new Date(ms).toISOString();
