// For operators: what is held and owed in each currency, and suspending or resuming one.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useState } from 'react';
import { useAnswer } from '../../api/queries.ts';
import { useFilters } from '../../api/use-filters.ts';
import { isZero, trimZeros } from '../../format/amounts.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Answer } from '../../parts/data/answer.tsx';
import { Empty } from '../../parts/data/empty.tsx';
import { FilterBar, FilterChip } from '../../parts/data/filters.tsx';
import { type Column, Table, TableSkeleton } from '../../parts/data/table.tsx';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { words } from '../../words/words.ts';
import { CurrencyDialog } from './currency-dialog.tsx';

type Row = ResponseOf<'currencies.list-all'>['currencies'][number];

export function Currencies() {
  const { currencies: text } = words;
  const query = useAnswer('currencies.list-all', {}, { every: 15_000 });
  const [picked, setPicked] = useState<Row | null>(null);
  const filters = useFilters();
  const shown = filters.get('show');
  const columns = currencyColumns(setPicked);
  return (
    <Page title={text.title} under={text.under}>
      <FilterBar>
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
            (row) => shown === '' || (shown === 'on' ? row.is_on : row.suspended !== null),
          );
          return rows.length === 0 ? (
            <Empty title={text.empty} />
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

function currencyColumns(onPick: (row: Row) => void): readonly Column<Row>[] {
  const { currencies: text } = words;
  return [
    {
      key: 'currency',
      head: text.currency,
      cell: ({ symbol, network, chain, contract }) => (
        <span>
          <strong>{symbol}</strong> · {contract === null ? chain : network}
        </span>
      ),
    },
    { key: 'state', head: words.orders.state, phone: 'end', cell: (row) => <CurrencyBadge row={row} /> },
    {
      key: 'reason',
      head: words.reason,
      fill: true,
      phone: 'long',
      cell: ({ suspended, suspended_since: since }) =>
        suspended !== null && (
          <bdi title={suspended}>
            {suspended}
            {since !== null && (
              <>
                {' · '}
                <Time at={since} />
              </>
            )}
          </bdi>
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
        <Button
          tone={row.suspended === null ? 'quiet' : 'plain'}
          aria-label={`${row.suspended === null ? text.suspend : text.resume}: ${row.symbol} · ${row.network}`}
          onClick={() => onPick(row)}
        >
          {row.suspended === null ? text.suspend : text.resume}
        </Button>
      ),
  };
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
