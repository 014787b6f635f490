// The lines of a batch with their costs. No line is paid before all are priced, and a failure is shown beside its line.
import { useEffect, useState } from 'react';
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { call } from '../../api/call.ts';
import { useCurrencies } from '../../api/currencies.ts';
import { useAnswer } from '../../api/queries.ts';
import { addDecimals, groupDigits, isMore, trimZeros } from '../../format/amounts.ts';
import { shorten } from '../../format/groups.ts';
import type { PayoutLine } from '../../format/payout-lines.ts';
import { Button } from '../../parts/button.tsx';
import { refusalText } from '../../parts/data/failure.tsx';
import { type Column, Table } from '../../parts/data/table.tsx';
import { Actions } from '../../parts/dialog.tsx';
import { Money } from '../../parts/money.tsx';
import { Notice } from '../../parts/notice.tsx';
import { counted, language, words } from '../../words/words.ts';

interface BatchLinesProps {
  readonly merchantId: string;
  readonly appId: string;
  readonly currencyId: number;
  readonly lines: readonly PayoutLine[];
  readonly name: string;
}

interface Row extends PayoutLine {
  readonly quote: ResponseOf<'payouts.quote'> | null;
  readonly state: 'pricing' | 'priced' | 'made' | 'refused';
  readonly why: string;
}

export function BatchLines(batch: BatchLinesProps) {
  const { batch: text } = words;
  const symbol = useCurrencies().symbol(batch.currencyId);
  const ofApp = { merchant_id: batch.merchantId, app_id: batch.appId };
  const app = useAnswer('apps.read', ofApp).data?.app;
  const { rows, isPaying, pay } = useBatch(batch);
  const total = rows.reduce((sum, { quote }) => addDecimals(sum, quote?.reserved ?? '0'), '0');
  const operable = rows[0]?.quote?.operable ?? null;
  const isShort =
    operable !== null && isMore(total, operable) && rows.every(({ state }) => state === 'priced');
  const isReady = !isShort && rows.every(({ state }) => state === 'priced' || state === 'made');
  const amount = `${groupDigits(trimZeros(total, 2), language)} ${symbol}`;
  return (
    <>
      <Table
        label={text.lines}
        columns={lineColumns(symbol)}
        rows={rows}
        rowKey={({ line }) => String(line)}
      />
      {isShort && <Notice tone="error">{text.short}</Notice>}
      {app?.one_time_codes === true && <Notice tone="error">{text.codes}</Notice>}
      {rows.every(({ state }) => state === 'made') ? (
        <Notice tone="paid" live>
          {text.done}
        </Notice>
      ) : (
        <Actions>
          <Button
            tone="primary"
            busy={isPaying}
            disabled={!isReady || app === undefined || app.one_time_codes}
            onClick={() => void pay()}
          >
            {counted(text.pay, rows.length, { amount })}
          </Button>
        </Actions>
      )}
    </>
  );
}

/** The lines as they are priced and paid. Paying stops at the first line that is refused. */
function useBatch({ merchantId, appId, currencyId, lines, name }: BatchLinesProps) {
  const [rows, setRows] = useState<readonly Row[]>(() =>
    lines.map((line) => ({ ...line, quote: null, state: 'pricing', why: '' })),
  );
  const [isPaying, setPaying] = useState(false);
  const change = (place: number, next: Partial<Row>) =>
    setRows((all) => all.map((row, at) => (at === place ? { ...row, ...next } : row)));
  useEffect(() => {
    const leaving = new AbortController();
    void priceAll({ merchantId, appId, currencyId, lines }, change, leaving.signal);
    return () => leaving.abort();
  }, [merchantId, appId, currencyId, lines]);
  const pay = async () => {
    setPaying(true);
    const from = { merchant_id: merchantId, app_id: appId, currency_id: currencyId };
    for (const [place, { quote, state, to, amount, line }] of rows.entries()) {
      if (quote === null || state === 'made') continue;
      const mostCost = addDecimals(quote.service_charge, quote.gas);
      const shown = { most_cost: mostCost, fee_mode: quote.fee_mode };
      const wanted = { ...from, amount, to_address: to, ...shown };
      try {
        await call('payouts.create', { ...wanted, request_id: `csv-${name}-${line}` });
        change(place, { state: 'made', why: '' });
      } catch (error) {
        change(place, { state: 'refused', why: refusalText(error) });
        break;
      }
    }
    setPaying(false);
  };
  return { rows, isPaying, pay };
}

type Wanted = Pick<BatchLinesProps, 'merchantId' | 'appId' | 'currencyId' | 'lines'>;

/** Prices one line after the other, so that a batch does not use up the rate limit of everything else. */
async function priceAll(
  { merchantId, appId, currencyId, lines }: Wanted,
  change: (place: number, next: Partial<Row>) => void,
  leaving: AbortSignal,
): Promise<void> {
  const from = { merchant_id: merchantId, app_id: appId, currency_id: currencyId };
  for (const [place, { to, amount }] of lines.entries()) {
    if (leaving.aborted) return;
    try {
      const quote = await call('payouts.quote', { ...from, amount, to_address: to }, leaving);
      const why = quote.refusal?.message ?? '';
      change(place, { quote, state: why === '' ? 'priced' : 'refused', why });
    } catch (error) {
      if (!leaving.aborted) change(place, { state: 'refused', why: refusalText(error) });
    }
  }
}

function lineColumns(symbol: string): readonly Column<Row>[] {
  const { batch: text } = words;
  return [
    { key: 'line', head: text.line, phone: 'out', cell: ({ line }) => line },
    {
      key: 'to',
      head: words.payouts.to,
      fill: true,
      cell: ({ to }) => <bdi title={to}>{shorten(to, 8, 6)}</bdi>,
    },
    {
      key: 'amount',
      head: words.orders.amount,
      end: true,
      phone: 'end',
      cell: ({ amount }) => <Money amount={trimZeros(amount, 2)} symbol={symbol} />,
    },
    {
      key: 'leaves',
      head: words.payout.leaves,
      end: true,
      phone: 'out',
      cell: ({ quote }) =>
        quote === null ? '' : <Money amount={trimZeros(quote.reserved, 2)} symbol={symbol} />,
    },
    {
      key: 'state',
      head: words.orders.state,
      phone: 'minor',
      cell: ({ state, why }) => (why === '' ? text.states[state] : why),
    },
  ];
}
