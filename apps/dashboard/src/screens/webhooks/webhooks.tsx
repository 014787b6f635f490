// The webhook console: every event, how it went, and sending it again.
import type { RequestOf, ResponseOf } from '@ducat/contract/dashboard/registry';
import { useState } from 'react';
import { useParams } from 'react-router';
import { useAnswer } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { type Filters, useFilters } from '../../api/use-filters.ts';
import { Button } from '../../parts/button.tsx';
import { Cut } from '../../parts/data/cut.tsx';
import { FilterBar, FilterChip } from '../../parts/data/filters.tsx';
import { PagedTable } from '../../parts/data/paged-table.tsx';
import type { Column } from '../../parts/data/table.tsx';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { words } from '../../words/words.ts';
import { EmptyList } from '../empty-list.tsx';
import { AppChip } from '../list-filters.tsx';
import { MonthChip, spanOfMonth } from '../month-chip.tsx';
import { WebhookMark } from '../orders/webhook-mark.tsx';
import { ResendPicked, usePicked } from './pick.tsx';
import { ResendSpanDialog } from './resend-span-dialog.tsx';

type Row = ResponseOf<'webhooks.list'>['events'][number];
const states = ['pending', 'delivered', 'dead', 'unsent'] as const;

export function Webhooks() {
  const { merchantId = '' } = useParams();
  const { webhooks: text } = words;
  const filters = useFilters();
  const may = useMay(merchantId)('develop');
  const [isResending, setResending] = useState(false);
  const query = useAnswer('webhooks.list', wantedOf(merchantId, filters), { keep: true, every: 15_000 });
  const picked = usePicked(query.data?.events ?? []);
  const columns = may ? [...eventColumns(), picked.column] : eventColumns();
  return (
    <Page
      title={text.title}
      under={text.under}
      actions={
        may && (
          <>
            <ResendPicked merchantId={merchantId} picked={picked} />
            <Button onClick={() => setResending(true)}>{words.resendSpan.open}</Button>
          </>
        )
      }
    >
      {isResending && <ResendSpanDialog app={filters.get('app')} onClose={() => setResending(false)} />}
      <FilterBar>
        <FilterChip
          label={words.orders.state}
          value={filters.get('state')}
          options={states.map((each) => [each, words.webhookStates[each]])}
          onPick={(next) => filters.set({ state: next })}
        />
        <MonthChip filters={filters} />
        <AppChip merchantId={merchantId} filters={filters} />
      </FilterBar>
      <PagedTable
        query={query}
        rowsOf={({ events }) => events}
        skeletonRows={8}
        empty={
          <EmptyList filters={filters} title={text.empty} noneFit={text.noneFit}>
            {text.emptyUnder}
          </EmptyList>
        }
        label={text.title}
        columns={columns}
        rowKey={(row) => row.event_id}
        to={(row) => `/m/${merchantId}/webhooks/${row.event_id}`}
        pages={filters.pages}
      />
    </Page>
  );
}

function wantedOf(merchantId: string, filters: Filters): RequestOf<'webhooks.list'> {
  const state = states.find((each) => each === filters.get('state'));
  const app = filters.get('app');
  return {
    merchant_id: merchantId,
    ...(state === undefined ? {} : { state }),
    ...(app === '' ? {} : { app_id: app }),
    ...spanOfMonth(filters),
    ...filters.cursor,
  };
}

function eventColumns(): readonly Column<Row>[] {
  const { webhooks: text } = words;
  return [
    { key: 'type', head: text.event, cell: ({ type, status }) => `${type} ${status}` },
    {
      key: 'of',
      head: text.of,
      fill: true,
      phone: 'minor',
      cell: ({ trade_no: id }) => (
        <Cut>
          <code>{id}</code>
        </Cut>
      ),
    },
    {
      key: 'time',
      head: words.orders.time,
      phone: 'minor-end',
      cell: ({ created_at: at }) => <Time at={at} />,
    },
    {
      key: 'state',
      head: words.orders.state,
      phone: 'end',
      cell: ({ state, attempts }) => <WebhookMark state={state} attempts={attempts} />,
    },
  ];
}
