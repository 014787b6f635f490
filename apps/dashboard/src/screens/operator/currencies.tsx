// For operators: what is held and owed in each currency, and suspending or resuming one.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useState } from 'react';
import { useAnswer } from '../../api/queries.ts';
import { useFilters } from '../../api/use-filters.ts';
import { isZero, trimZeros } from '../../format/amounts.ts';
import { networkName, networkWithKind } from '../../format/network-names.ts';
import { Badge } from '../../parts/badge.tsx';
import { Answer } from '../../parts/data/answer.tsx';
import { Empty } from '../../parts/data/empty.tsx';
import { FilterBar, FilterChip, FindField } from '../../parts/data/filters.tsx';
import { RowMenu } from '../../parts/data/row-menu.tsx';
import { type Column, Table, TableSkeleton } from '../../parts/data/table.tsx';
import { WithReason } from '../../parts/data/with-reason.tsx';
import { MenuItem } from '../../parts/menu.tsx';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { fill, words } from '../../words/words.ts';
import { CurrencyDialog } from './currency-dialog.tsx';

type Row = ResponseOf<'currencies.list-all'>['currencies'][number];

export function Currencies() {
  const { currencies: text } = words;
  const query = useAnswer('currencies.list-all', {}, { every: 15_000 });
  const [picked, setPicked] = useState<Row | null>(null);
  const filters = useFilters();
  const sought = filters.get('find');
  const shown = filters.get('show');
  const columns = currencyColumns(setPicked);
  return (
    <Page title={text.title} under={text.under}>
      <FilterBar
        search={
          <FindField
            label={words.settings.findCurrency}
            value={sought}
            onFind={(find) => filters.type({ find })}
          />
        }
      >
        <FilterChip
          label={words.orders.state}
          value={shown}
          options={[
            ['on', text.onlyOn],
            ['suspended', text.suspended],
          ]}
          onPick={(show) => filters.set({ show })}
        />
      </FilterBar>
      <Answer query={query} skeleton={<TableSkeleton columns={columns} rows={12} />}>
        {({ currencies }) => {
          const rows = currencies.filter(
            (row) =>
              (shown === '' || (shown === 'on' ? row.is_on : row.suspended !== null)) && fits(row, sought),
          );
          return rows.length === 0 ? (
            <Empty title={sought === '' ? text.empty : words.settings.noneFits} />
          ) : (
            <Table
              label={text.title}
              columns={columns}
              rows={rows}
              rowKey={(row) => String(row.currency_id)}
            />
          );
        }}
      </Answer>
      {picked !== null && <CurrencyDialog currency={picked} onClose={() => setPicked(null)} />}
    </Page>
  );
}

function fits({ symbol, chain, network }: Row, sought: string): boolean {
  const text = `${symbol} ${networkWithKind(chain, network)} ${chain}`.toLowerCase();
  return text.includes(sought.trim().toLowerCase());
}

function currencyColumns(onPick: (row: Row) => void): readonly Column<Row>[] {
  const { currencies: text } = words;
  return [
    {
      key: 'currency',
      head: text.currency,
      cell: ({ symbol, network, chain, contract }) => (
        <span>
          <strong>{symbol}</strong> · {contract === null ? networkName(chain) : network}
        </span>
      ),
    },
    {
      key: 'state',
      head: words.orders.state,
      phone: 'end',
      cell: (row) => (
        <WithReason reason={row.suspended === null ? null : <Suspended {...row} />}>
          <CurrencyBadge row={row} />
        </WithReason>
      ),
    },
    {
      key: 'held',
      head: text.held,
      end: true,
      phone: 'out',
      cell: ({ held }) => !isZero(held) && <Money amount={trimZeros(held, 2)} />,
    },
    {
      key: 'owed',
      head: text.owed,
      end: true,
      phone: 'out',
      cell: ({ owed }) => !isZero(owed) && <Money amount={trimZeros(owed, 2)} />,
    },
    actColumn(onPick),
  ];
}

function actColumn(onPick: (row: Row) => void): Column<Row> {
  const { currencies: text } = words;
  return {
    key: 'act',
    head: '',
    end: true,
    phone: 'side',
    cell: (row) =>
      (row.is_on || row.suspended !== null) && (
        <RowMenu label={fill(words.merchants.more, { name: `${row.symbol} · ${row.network}` })}>
          <MenuItem danger={row.suspended === null} onSelect={() => onPick(row)}>
            {row.suspended === null ? text.suspend : text.resume}
          </MenuItem>
        </RowMenu>
      ),
  };
}

function Suspended({ suspended, suspended_since: since }: Row) {
  return (
    <>
      {suspended}
      {since !== null && (
        <>
          {' · '}
          <Time at={since} />
        </>
      )}
    </>
  );
}

function CurrencyBadge({ row }: { readonly row: Row }) {
  const { currencies: text } = words;
  if (row.suspended !== null)
    return (
      <Badge tone="error" icon="off">
        {text.suspended}
      </Badge>
    );
  return (
    <Badge tone={row.is_on ? 'paid' : 'calm'} icon={row.is_on ? 'done' : 'off'}>
      {row.is_on ? text.on : text.off}
    </Badge>
  );
}
