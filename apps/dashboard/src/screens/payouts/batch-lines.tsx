// The lines of a batch with their costs. No line is paid before all are priced or refused, and a failure is shown beside its line.
import { Link } from 'react-router';
import { useCurrencies } from '../../api/currencies.ts';
import { useAnswer } from '../../api/queries.ts';
import { addDecimals, groupDigits, isMore, trimZeros } from '../../format/amounts.ts';
import { shorten } from '../../format/groups.ts';
import { Button } from '../../parts/button.tsx';
import { type Column, Table } from '../../parts/data/table.tsx';
import { Actions } from '../../parts/dialog.tsx';
import { Money } from '../../parts/money.tsx';
import { Notice } from '../../parts/notice.tsx';
import { counted, language, words } from '../../words/words.ts';
import { type Batch, type BatchRow, canPay, useBatch } from './use-batch.ts';

export function BatchLines(batch: Batch) {
  const { batch: text } = words;
  const symbol = useCurrencies().symbol(batch.currencyId);
  const ofApp = { merchant_id: batch.merchantId, app_id: batch.appId };
  const app = useAnswer('apps.read', ofApp).data?.app;
  const { rows, isPaying, pay } = useBatch(batch);
  const left = rows.filter(({ state }) => state !== 'made');
  const isPricing = left.some(({ state }) => state === 'pricing');
  // Until all are priced, the button names all lines and cannot be pressed.
  const offered = isPricing ? left : left.filter(canPay);
  const leftOut = left.length - offered.length;
  const total = offered.reduce((sum, { quote }) => addDecimals(sum, quote?.reserved ?? '0'), '0');
  const operable = offered[0]?.quote?.operable ?? null;
  const isShort = !isPricing && operable !== null && isMore(total, operable);
  const isUnpaid = rows.some(({ payout }) => payout !== null && gaveBack(payout));
  const amount = `${groupDigits(trimZeros(total, 2), language)} ${symbol}`;
  return (
    <>
      <Table
        label={text.lines}
        columns={lineColumns(symbol, batch.merchantId)}
        rows={rows}
        rowKey={({ line }) => String(line)}
      />
      {leftOut > 0 && (
        <Notice tone="error" live>
          {counted(text.leftOut, leftOut)}
        </Notice>
      )}
      {isShort && <Notice tone="error">{offered.length < rows.length ? text.shortRest : text.short}</Notice>}
      {app?.one_time_codes === true && <Notice tone="error">{text.codes}</Notice>}
      {left.length === 0 && (
        <Notice tone={isUnpaid ? 'calm' : 'paid'} live>
          {isUnpaid ? text.doneUnpaid : text.done}
        </Notice>
      )}
      {offered.length > 0 && (
        <Actions>
          <Button
            tone="primary"
            busy={isPaying}
            disabled={isPricing || isShort || app === undefined || app.one_time_codes}
            onClick={() => void pay()}
          >
            {counted(text.pay, offered.length, { amount })}
          </Button>
        </Actions>
      )}
    </>
  );
}

function lineColumns(symbol: string, merchantId: string): readonly Column<BatchRow>[] {
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
      cell: ({ state, why, payout }) =>
        payout === null ? (
          why || text.states[state]
        ) : (
          <Link to={`/m/${merchantId}/payouts/${payout.trade_no}`}>{madeText(payout)}</Link>
        ),
    },
  ];
}

type Made = NonNullable<BatchRow['payout']>;

/** A payout that gave its money back was made too, and the same file does not make it again. */
function gaveBack({ status }: Made): boolean {
  return status === 'FAIL' || status === 'CANCEL';
}

function madeText(payout: Made): string {
  return gaveBack(payout) ? words.payoutStates[payout.status] : words.batch.states.made;
}
