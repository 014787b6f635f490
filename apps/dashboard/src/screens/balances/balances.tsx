// What a merchant owns, what of it can be paid out, and why the rest cannot.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useParams } from 'react-router';
import { type Currencies, useCurrencies } from '../../api/currencies.ts';
import { useAnswer } from '../../api/queries.ts';
import { inCents, isZero, trimZeros } from '../../format/amounts.ts';
import { Answer } from '../../parts/data/answer.tsx';
import { Empty } from '../../parts/data/empty.tsx';
import { type Column, Table, TableSkeleton } from '../../parts/data/table.tsx';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { words } from '../../words/words.ts';

type Row = ResponseOf<'balances.read'>['balances'][number];

export function Balances() {
  const { merchantId = '' } = useParams();
  const { balances: text } = words;
  const query = useAnswer('balances.read', { merchant_id: merchantId }, { every: 15_000 });
  const apps = useAnswer('apps.list', { merchant_id: merchantId }).data?.apps ?? [];
  const columns = balanceColumns(
    useCurrencies(),
    (id) => apps.find((each) => each.app_id === id)?.name ?? id,
  );
  return (
    <Page title={text.title} under={text.under}>
      <Answer query={query} skeleton={<TableSkeleton columns={columns} rows={4} />}>
        {({ balances }) =>
          balances.length === 0 ? (
            <Empty title={text.empty}>{text.emptyUnder}</Empty>
          ) : (
            <Table
              label={text.title}
              columns={columns}
              rows={balances}
              rowKey={(row) => `${row.app_id} ${row.currency_id}`}
              to={({ app_id: app, currency_id: id }) => `/m/${merchantId}/balances/${app}/${id}`}
            />
          )
        }
      </Answer>
    </Page>
  );
}

function balanceColumns(currencies: Currencies, appName: (appId: string) => string): readonly Column<Row>[] {
  const { balances: text } = words;
  return [
    {
      key: 'coin',
      head: words.orders.coin,
      cell: ({ currency_id: id }) => currencies.name(id),
    },
    {
      key: 'operable',
      head: text.operable,
      end: true,
      cell: ({ operable }) => <Money amount={trimZeros(operable, 2)} />,
    },
    {
      key: 'held',
      head: text.held,
      fill: true,
      wrap: true,
      phone: 'long',
      cell: (row) => notOperable(row),
    },
    {
      key: 'total',
      head: text.total,
      end: true,
      phone: 'named',
      cell: ({ total }) => <Money amount={trimZeros(total, 2)} />,
    },
    {
      key: 'value',
      head: text.value,
      end: true,
      phone: 'out',
      cell: ({ value_usd: value }) => value !== null && <Money amount={inCents(value)} symbol="USD" />,
    },
    {
      key: 'app',
      head: words.orders.app,
      phone: 'minor',
      cell: ({ app_id: id }) => <bdi>{appName(id)}</bdi>,
    },
  ];
}

/** Each amount that cannot be paid out now, with its reason. */
function notOperable(row: Row): string {
  const { balances: text } = words;
  const parts = [
    [row.bound_by_payouts, text.bound],
    [row.unassigned, text.unassigned],
    [row.too_small_to_collect, text.tooSmall],
    [row.frozen_at_addresses, text.frozen],
  ] as const;
  return parts
    .flatMap(([amount, why]) => (isZero(amount) ? [] : [`${trimZeros(amount, 2)} ${why}`]))
    .join(' · ');
}
