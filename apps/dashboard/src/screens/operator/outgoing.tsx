// For operators: what is on its way out of our addresses, and what a person has to end.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { type Currencies, useCurrencies } from '../../api/currencies.ts';
import { useAnswer } from '../../api/queries.ts';
import { shorten } from '../../format/groups.ts';
import { Badge, type BadgeTone } from '../../parts/badge.tsx';
import { Answer } from '../../parts/data/answer.tsx';
import { Empty } from '../../parts/data/empty.tsx';
import { type Column, Table, TableSkeleton } from '../../parts/data/table.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Page, Stack } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { words } from '../../words/words.ts';
import { amountColumn } from '../amount-column.tsx';

type Row = ResponseOf<'outgoing.list-open'>['transactions'][number];

export function Outgoing() {
  const { outgoing: text } = words;
  const query = useAnswer('outgoing.list-open', {}, { every: 5_000 });
  const columns = outgoingColumns(useCurrencies());
  return (
    <Page title={text.title} under={text.under}>
      <Answer query={query} skeleton={<TableSkeleton columns={columns} rows={6} />}>
        {({ transactions, is_cut_short: isCut }) =>
          transactions.length === 0 ? (
            <Empty title={text.empty}>{text.emptyUnder}</Empty>
          ) : (
            <Stack>
              {transactions.some(({ state }) => state === 'mismatched') && (
                <Notice tone="error">
                  <strong>{text.byPerson}.</strong> {text.byPersonUnder}
                </Notice>
              )}
              <Table
                label={text.title}
                columns={columns}
                rows={transactions}
                rowKey={(row) => `${row.subject_kind} ${row.subject_id}`}
              />
              {isCut && <p>{text.cut}</p>}
            </Stack>
          )
        }
      </Answer>
    </Page>
  );
}

function outgoingColumns(currencies: Currencies): readonly Column<Row>[] {
  const { outgoing: text } = words;
  return [
    {
      key: 'what',
      head: text.what,
      cell: ({ subject_kind: kind, action, subject_id: id }) => (
        <span title={id}>{action === 'transfer' ? text.kinds[kind] : text.actions[action]}</span>
      ),
    },
    { key: 'chain', head: words.chains.chain, phone: 'minor', cell: ({ chain }) => chain },
    {
      key: 'to',
      head: words.payouts.to,
      phone: 'out',
      cell: ({ to }) => <bdi title={to}>{shorten(to, 8, 6)}</bdi>,
    },
    amountColumn(currencies),
    {
      key: 'trouble',
      head: text.trouble,
      fill: true,
      phone: 'named',
      cell: ({ trouble }) => <bdi title={trouble ?? undefined}>{trouble ?? text.fine}</bdi>,
    },
    {
      key: 'time',
      head: words.orders.time,
      phone: 'out',
      cell: ({ created_at: at }) => <Time at={at} form="relative" />,
    },
    { key: 'state', head: words.orders.state, phone: 'end', cell: (row) => <OutgoingBadge row={row} /> },
  ];
}

const tones: Readonly<Record<Row['state'], BadgeTone>> = {
  waiting: 'calm',
  prepared: 'seen',
  signed: 'seen',
  succeeded: 'paid',
  failed: 'error',
  mismatched: 'error',
  cancelled: 'calm',
};

function OutgoingBadge({ row: { state, trouble } }: { readonly row: Row }) {
  const isStuck = trouble !== null && state !== 'mismatched';
  const { outgoing: text, timeline } = words;
  if (state === 'mismatched')
    return (
      <Badge tone="error" icon="warning">
        {text.byPerson}
      </Badge>
    );
  return (
    <Badge tone={isStuck ? 'part' : tones[state]} icon={isStuck ? 'warning' : 'going'}>
      {timeline.sendingStates[state]}
    </Badge>
  );
}
