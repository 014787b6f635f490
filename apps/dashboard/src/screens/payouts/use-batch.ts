// The lines of a batch as they are priced and paid. What was made is never priced again, be it made before the page was opened.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useEffect, useState } from 'react';
import { call } from '../../api/call.ts';
import { Refusal } from '../../api/refusal.ts';
import { addDecimals } from '../../format/amounts.ts';
import type { PayoutLine } from '../../format/payout-lines.ts';
import { refusalText } from '../../parts/data/failure.tsx';

export interface Batch {
  readonly merchantId: string;
  readonly appId: string;
  readonly currencyId: number;
  readonly lines: readonly PayoutLine[];
  /** The request_ids are made of it, so it is the same for the same file. */
  readonly name: string;
}

export interface BatchRow extends PayoutLine {
  readonly quote: ResponseOf<'payouts.quote'> | null;
  readonly state: 'pricing' | 'priced' | 'made' | 'refused';
  readonly why: string;
  /** What the line made; null where nothing is known of it. */
  readonly payout: Pick<ResponseOf<'payouts.create'>['payout'], 'trade_no' | 'status'> | null;
}

type Change = (line: number, next: Partial<BatchRow>) => void;

/** A line that was refused when it was paid can be tried again at its price, one that was refused with its price cannot. */
export function canPay({ state, quote }: BatchRow): boolean {
  return (state === 'priced' || state === 'refused') && quote !== null && quote.refusal === null;
}

/** Lines that were refused with their price are left out. Paying stops at the first line that is refused then. */
export function useBatch({ merchantId, appId, currencyId, lines, name }: Batch) {
  const [rows, setRows] = useState<readonly BatchRow[]>(() => lines.map((line) => ({ ...line, ...UNKNOWN })));
  const [isPaying, setPaying] = useState(false);
  const batch = { merchantId, appId, currencyId, lines, name };
  // A line may be made while it is still being priced, and stays made.
  const change: Change = (line, next) =>
    setRows((all) =>
      all.map((row) =>
        row.line === line && (row.state !== 'made' || next.state === 'made') ? { ...row, ...next } : row,
      ),
    );
  useEffect(() => {
    const leaving = new AbortController();
    void readAll({ merchantId, appId, currencyId, lines, name }, change, leaving.signal);
    return () => leaving.abort();
  }, [merchantId, appId, currencyId, lines, name]);
  const pay = async () => {
    setPaying(true);
    const left = rows.filter(canPay);
    const stop = await payAll(batch, left, change);
    // The next try has to show the costs of now.
    if (stop?.error instanceof Refusal && stop.error.code === 'changed')
      await priceAll(batch, left.slice(stop.place), change, { why: refusalText(stop.error) });
    setPaying(false);
  };
  return { rows, isPaying, pay };
}

const UNKNOWN = { quote: null, state: 'pricing', why: '', payout: null } as const;

/** Finds out which lines were made already, and prices the others. */
async function readAll(batch: Batch, change: Change, leaving: AbortSignal): Promise<void> {
  const { merchantId, appId, lines } = batch;
  for (const { line } of lines) change(line, UNKNOWN);
  const request = { merchant_id: merchantId, app_id: appId };
  try {
    const asked = { ...request, request_ids: lines.map((line) => requestIdOf(batch, line)) };
    const { made } = await call('payouts.made', asked, leaving);
    const payouts = new Map(made.map((payout) => [payout.request_id, payout]));
    const left = lines.filter((line) => {
      const payout = payouts.get(requestIdOf(batch, line));
      if (payout !== undefined) change(line.line, { state: 'made', why: '', payout });
      return payout === undefined;
    });
    await priceAll(batch, left, change, { leaving });
  } catch (error) {
    if (leaving.aborted) return;
    for (const { line } of lines) change(line, { state: 'refused', why: refusalText(error) });
  }
}

interface Pricing {
  readonly leaving?: AbortSignal;
  /** What the first of these lines was refused with before. It is shown beside the new price. */
  readonly why?: string;
}

/** Prices one line after the other, so that a batch does not use up the rate limit of everything else. */
async function priceAll(
  batch: Batch,
  lines: readonly PayoutLine[],
  change: Change,
  { leaving, why: before = '' }: Pricing,
): Promise<void> {
  const isLeft = () => leaving?.aborted === true;
  for (const [place, { line, to, amount }] of lines.entries()) {
    if (isLeft()) return;
    try {
      const quote = await call('payouts.quote', { ...sourceOf(batch), amount, to_address: to }, leaving);
      const why = quote.refusal?.message ?? '';
      const state = why === '' ? 'priced' : 'refused';
      change(line, { quote, state, why: why === '' && place === 0 ? before : why });
    } catch (error) {
      if (!isLeft()) change(line, { state: 'refused', why: refusalText(error) });
    }
  }
}

interface Stop {
  readonly place: number;
  readonly error: unknown;
}

/** Null where all lines were paid. */
async function payAll(batch: Batch, rows: readonly BatchRow[], change: Change): Promise<Stop | null> {
  for (const [place, row] of rows.entries()) {
    const { line, quote, to, amount } = row;
    if (quote === null) continue;
    const mostCost = addDecimals(quote.service_charge, quote.gas);
    const shown = { most_cost: mostCost, fee_mode: quote.fee_mode };
    const wanted = { ...sourceOf(batch), amount, to_address: to, ...shown };
    try {
      const { payout } = await call('payouts.create', { ...wanted, request_id: requestIdOf(batch, row) });
      change(line, { state: 'made', why: '', payout });
    } catch (error) {
      change(line, { state: 'refused', why: refusalText(error) });
      return { place, error };
    }
  }
  return null;
}

function sourceOf({ merchantId, appId, currencyId }: Batch) {
  return { merchant_id: merchantId, app_id: appId, currency_id: currencyId };
}

function requestIdOf({ name }: Batch, { line }: PayoutLine): string {
  return `csv-${name}-${line}`;
}
