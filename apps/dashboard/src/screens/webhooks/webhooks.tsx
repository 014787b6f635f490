// The webhook console: every event, how it went, and sending it again.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { useAnswer } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { useFilters } from '../../api/use-filters.ts';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/data/empty.tsx';
import { FilterBar, FilterChip } from '../../parts/data/filters.tsx';
import { PagedTable } from '../../parts/data/paged-table.tsx';
import type { Column } from '../../parts/data/table.tsx';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { words } from '../../words/words.ts';
import { MonthChip, spanOfMonth } from '../month-chip.tsx';
import { WebhookMark } from '../orders/webhook-mark.tsx';
import { ResendSpanDialog } from './resend-span-dialog.tsx';

type Row = ResponseOf<'webhooks.list'>['events'][number];
const states = ['pending', 'delivered', 'dead', 'unsent'] as const;

export function Webhooks() {
  const { merchantId = '' } = useParams();
  const { webhooks: text } = words;
  const filters = useFilters();
  const may = useMay(merchantId)('develop');
  const [isResending, setResending] = useState(false);
  const navigate = useNavigate();
  const state = states.find((each) => each === filters.get('state'));
  const query = useAnswer(
    'webhooks.list',
    {
      merchant_id: merchantId,
      ...(state === undefined ? {} : { state }),
      ...spanOfMonth(filters),
      ...filters.cursor,
    },
    { keep: true, every: 15_000 },
  );
  const columns = eventColumns();
  return (
    <Page
      title={text.title}
      under={text.under}
      actions={may && <Button onClick={() => setResending(true)}>{words.resendSpan.open}</Button>}
    >
      {isResending && <ResendSpanDialog onClose={() => setResending(false)} />}
      <FilterBar>
        <FilterChip
          label={words.orders.state}
          value={filters.get('state')}
          options={states.map((each) => [each, words.webhookStates[each]])}
          onPick={(next) => filters.set({ state: next })}
        />
        <MonthChip filters={filters} />
      </FilterBar>
      <PagedTable
        query={query}
        rowsOf={({ events }) => events}
        skeletonRows={8}
        empty={<Empty title={filters.isFiltered ? text.noneFit : text.empty}>{text.emptyUnder}</Empty>}
        label={text.title}
        columns={columns}
        rowKey={(row) => row.event_id}
        onOpen={(row) => void navigate(`/m/${merchantId}/webhooks/${row.event_id}`)}
        pages={filters.pages}
      />
    </Page>
  );
}

function eventColumns(): readonly Column<Row>[] {
  const { webhooks: text } = words;
  return [
    { key: 'type', head: text.event, cell: ({ type, status }) => `${type} ${status}` },
    { key: 'of', head: text.of, fill: true, phone: 'minor', cell: ({ trade_no: id }) => <code>{id}</code> },
    { key: 'time', head: words.orders.time, phone: 'minor', cell: ({ created_at: at }) => <Time at={at} /> },
    {
      key: 'state',
      head: words.orders.state,
      phone: 'end',
      cell: ({ state, attempts }) => <WebhookMark state={state} attempts={attempts} />,
    },
  ];
}
