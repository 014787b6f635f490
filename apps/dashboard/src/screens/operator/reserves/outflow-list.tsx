// Outflows of wallets without a transaction of ours, each with the open payouts that it would fit.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import type { Currencies } from '../../../api/currencies.ts';
import { useAnswer } from '../../../api/queries.ts';
import { Copyable } from '../../../parts/copyable.tsx';
import { Answer, Bone } from '../../../parts/data/answer.tsx';
import { type Column, Table } from '../../../parts/data/table.tsx';
import { Card } from '../../../parts/page.tsx';
import { Time } from '../../../parts/time.tsx';
import { words } from '../../../words/words.ts';
import { Address } from '../../address.tsx';
import { bareAmountColumn } from '../../amount-column.tsx';

type Outflow = ResponseOf<'outflows.list'>['outflows'][number];

export function OutflowList({ currencies }: { readonly currencies: Currencies }) {
  const { reserves: text } = words;
  const query = useAnswer('outflows.list', {});
  return (
    <Card title={text.outflowList}>
      <p>{text.outflowHint}</p>
      <Answer query={query} skeleton={<Bone width="100%" height={80} />}>
        {({ outflows, is_cut_short: isCut }) => (
          <>
            <Table
              label={text.outflowList}
              columns={outflowColumns(currencies)}
              rows={outflows}
              rowKey={({ transfer }) => transfer}
            />
            {isCut && <p>{text.outflowsCut}</p>}
          </>
        )}
      </Answer>
    </Card>
  );
}

function outflowColumns(currencies: Currencies): readonly Column<Outflow>[] {
  const { reserves: text } = words;
  return [
    {
      key: 'transfer',
      head: text.transfer,
      fill: true,
      cell: ({ transfer, tx_id: txId, currency_id: id }) => (
        <Copyable
          text={transfer}
          label={text.transfer}
          form="short"
          part={txId}
          explorer={currencies.explorer(id, 'tx', txId)}
        />
      ),
    },
    { key: 'coin', head: words.orders.coin, phone: 'minor', cell: (row) => currencies.name(row.currency_id) },
    bareAmountColumn('amount', words.orders.amount, (row) => row.amount),
    {
      key: 'to',
      head: text.to,
      phone: 'minor',
      cell: ({ to, currency_id: id }) => (
        <Address text={to} label={text.to} currencies={currencies} currencyId={id} />
      ),
    },
    { key: 'time', head: words.auditLog.time, phone: 'out', cell: ({ at }) => <Time at={at} /> },
    {
      key: 'fits',
      head: text.fits,
      cell: ({ fits }) =>
        fits.length === 0
          ? text.fitsNone
          : fits.map((tradeNo) => <Copyable key={tradeNo} text={tradeNo} label={text.fits} form="short" />),
    },
  ];
}
