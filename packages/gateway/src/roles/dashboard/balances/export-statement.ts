// balances.export-statement: the statement of an app in one currency as CSV, page by page while it is sent.
import { add, type Amount, isPositive, negate, zero } from '@ducat/core/money/amount';
import { formatDecimal } from '@ducat/core/money/decimal';
import { RATE_DECIMALS } from '@ducat/core/money/reading';
import { addSides, type EntrySides, noSides } from '../../../db/reports/dashboard/money/entry-sides.ts';
import {
  listStatement,
  readStatementTotals,
  type StatementAccount,
  type StatementLine,
  type StatementSpan,
} from '../../../db/reports/dashboard/money/statement.ts';
import { endStatement } from '../../../flows/merchants/end-statement.ts';
import { findOwnApp } from '../apps/own-app.ts';
import { answer, type Handler, unknown } from '../call.ts';
import type { MerchantCall } from '../merchant-scope.ts';
import { csvLine } from '../orders/csv-line.ts';
import { readTexts, type Texts, usdText } from '../texts.ts';
import { readLineSides } from './line-sides.ts';
import { spanOf } from './statement.ts';

const ROWS_AT_ONCE = 1_000;
const BOOKED = ['time', 'entry', 'fact', 'reference', 'account', 'currency_id', 'in', 'out', 'balance'];
const VALUED = ['value_usd', 'price_usd', 'price_time', 'unpriced'];
const HEADER = [...BOOKED, ...VALUED, 'received', 'fee', 'paid_out', 'network_charge'];

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

/** The running sums of one account, or of all accounts together. */
interface Sums {
  balance: Amount;
  /** In 10^-6 USD. */
  value: bigint;
  unpriced: number;
  sides: EntrySides;
}

type SumsByAccount = ReadonlyMap<StatementAccount | 'all', Sums>;

/**
 * The lines, the oldest first, between the opening and the closing lines of each account. The span has an end, before which
 * nothing is booked any more (`endStatement`).
 */
async function* csvOf(
  { reader, deps }: Pick<MerchantCall, 'reader' | 'deps'>,
  span: StatementSpan,
  texts: Pick<Texts, 'amount'>,
  left: AbortSignal,
): AsyncIterable<string> {
  const sums = await openingSums(reader, span);
  const standing = (what: string, restOf: (sum: Sums) => readonly string[]) =>
    [...sums]
      .map(([account, sum]) => {
        const booked = [
          '',
          '',
          what,
          '',
          account,
          String(span.currencyId),
          '',
          '',
          texts.amount(sum.balance),
        ];
        return csvLine([...booked, ...restOf(sum)]);
      })
      .join('');
  yield csvLine(HEADER) + standing('opening', () => [...NOTHING, ...NOTHING]);
  let { from } = span;
  while (!left.aborted) {
    const { lines, isWhole } = await listStatement(
      reader,
      { ...span, from },
      { limit: ROWS_AT_ONCE, oldestFirst: true },
    );
    const sidesOf = await readLineSides(deps.reader, lines);
    yield lines.map((line) => csvLine(fieldsOf(line, sidesOf(line), sums, texts))).join('');
    if (isWhole) break;
    from = (lines.at(-1)?.entryId ?? from) + 1;
  }
  yield standing('closing', ({ value, unpriced, sides }) => [
    usdText(value),
    '',
    '',
    String(unpriced),
    ...sideFields(sides, texts),
  ]);
}

/** By account, with the sum of all accounts last; empty where there is no account. */
async function openingSums(reader: MerchantCall['reader'], span: StatementSpan): Promise<SumsByAccount> {
  const none = zero(span.currencyId);
  const begun = (balance: Amount): Sums => ({
    balance,
    value: 0n,
    unpriced: 0,
    sides: noSides(span.currencyId),
  });
  const totals = await readStatementTotals(reader, span);
  const all = totals.reduce((sum, { opening }) => add(sum, opening), none);
  return new Map<StatementAccount | 'all', Sums>([
    ...totals.map(({ account, opening }) => [account, begun(opening)] as const),
    ...(totals.length === 0 ? [] : [['all', begun(all)] as const]),
  ]);
}

/** Incoming and outgoing amounts have a column each, because spreadsheets read a leading sign as a formula. */
function fieldsOf(
  line: StatementLine,
  sides: EntrySides | null,
  sums: SumsByAccount,
  texts: Pick<Texts, 'amount'>,
): readonly string[] {
  const { entryId, atMs, fact, reference, account, amount } = line;
  for (const one of [account, 'all'] as const) addTo(sums.get(one), line, sides);
  const balance = sums.get(account)?.balance ?? zero(amount.currencyId);
  const moved = isPositive(amount) ? [texts.amount(amount), ''] : ['', texts.amount(negate(amount))];
  const booked = [timeText(atMs), String(entryId), fact, reference, account, String(amount.currencyId)];
  const added = sides === null ? NOTHING : sideFields(sides, texts);
  return [...booked, ...moved, texts.amount(balance), ...receiptFields(line.receipt), ...added];
}

function addTo(sum: Sums | undefined, { amount, receipt }: StatementLine, sides: EntrySides | null): void {
  if (sum === undefined) return;
  sum.balance = add(sum.balance, amount);
  if (sides !== null) sum.sides = addSides(sum.sides, sides);
  if (receipt === null) return;
  if (receipt.known === null) sum.unpriced += 1;
  else sum.value += receipt.known.value;
}

const NOTHING = ['', '', '', ''];

/** The value of a receipt, the price and the time of the price. The last field is 1 where there is no price, else 0. */
function receiptFields(receipt: StatementLine['receipt']): readonly string[] {
  if (receipt === null) return NOTHING;
  if (receipt.known === null) return ['', '', '', '1'];
  const { value, priceUnits, priceAt } = receipt.known;
  return [usdText(value), formatDecimal(priceUnits, RATE_DECIMALS), timeText(priceAt * 1_000), '0'];
}

function sideFields(
  { received, fee, paidOut, networkCharge }: EntrySides,
  { amount }: Pick<Texts, 'amount'>,
) {
  return [amount(received), amount(fee), amount(paidOut), amount(networkCharge)];
}

const timeText = (ms: number) => new Date(ms).toISOString();
