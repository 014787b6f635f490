// The log of the API's calls: what was asked, how it was answered, the newest first.
import type { EndpointName, endpoints } from '@ducat/contract/endpoints/registry';
import { useParams } from 'react-router';
import { useAnswer } from '../../api/queries.ts';
import { type Filters, useFilters } from '../../api/use-filters.ts';
import { millisecondsText } from '../../format/times.ts';
import { Cut } from '../../parts/data/cut.tsx';
import { FilterBar, FilterChip, SearchField } from '../../parts/data/filters.tsx';
import { PagedTable } from '../../parts/data/paged-table.tsx';
import type { Column } from '../../parts/data/table.tsx';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { language, words } from '../../words/words.ts';
import { DocsButton } from '../docs-button.tsx';
import { EmptyList } from '../empty-list.tsx';
import { CallBadge, type CallRow } from './call-badge.tsx';

/** Keyed by the names of the contract, so that none is missing. */
const paths: { readonly [Name in EndpointName]: (typeof endpoints)[Name]['path'] } = {
  'create-order': '/api/order/create',
  'pre-create': '/api/entrust/pre-create',
  'order-detail': '/api/order/detail',
  'exchange-rates': '/api/order/exchange-rates',
  'token-list': '/api/currency/token-list',
  'app-token-list': '/api/currency/app-token-list',
  'account-balance': '/api/account/balance',
  'create-payout': '/api/payout/create',
  'payout-detail': '/api/payout/detail',
  'create-qr-code': '/api/payment-qr-code/create',
};

export function ApiCalls() {
  const { merchantId = '' } = useParams();
  const { apiCalls: text } = words;
  const filters = useFilters();
  const query = useAnswer(
    'api-calls.list',
    { ...filterOf(merchantId, filters), ...filters.cursor },
    { keep: true, every: 15_000 },
  );
  return (
    <Page title={text.title} under={text.under}>
      <CallFilters filters={filters} />
      <PagedTable
        query={query}
        rowsOf={({ calls }) => calls}
        skeletonRows={12}
        empty={
          <EmptyList
            filters={filters}
            title={text.empty}
            noneFit={text.noneFit}
            action={<DocsButton page="api/create-order">{words.apps.firstOrder}</DocsButton>}
          >
            {text.emptyUnder}
          </EmptyList>
        }
        label={text.title}
        columns={callColumns()}
        rowKey={(row) => row.call_id}
        to={(row) => `/m/${merchantId}/api-calls/${row.call_id}`}
        pages={filters.pages}
      />
    </Page>
  );
}

function filterOf(merchantId: string, filters: Filters) {
  const [app, operation, named] = [filters.get('app'), filters.get('operation'), filters.get('named')];
  return {
    merchant_id: merchantId,
    ...(app === '' ? {} : { app_id: app }),
    ...(operation === '' ? {} : { operation }),
    ...(named === '' ? {} : { named }),
    ...(filters.get('only') === 'refused' ? { refused: true } : {}),
  };
}

function CallFilters({ filters }: { readonly filters: Filters }) {
  const { merchantId = '' } = useParams();
  const { apiCalls: text } = words;
  const apps = useAnswer('apps.list', { merchant_id: merchantId }).data?.apps ?? [];
  return (
    <FilterBar
      search={
        <SearchField
          label={text.search}
          value={filters.get('named')}
          onSearch={(named) => filters.set({ named })}
        />
      }
    >
      <FilterChip
        label={text.answer}
        value={filters.get('only')}
        options={[['refused', text.refused]]}
        onPick={(only) => filters.set({ only })}
      />
      <FilterChip
        label={text.operation}
        value={filters.get('operation')}
        options={[...Object.entries(paths), ['other', text.other]]}
        onPick={(operation) => filters.set({ operation })}
      />
      {apps.length > 1 && (
        <FilterChip
          label={words.orders.app}
          value={filters.get('app')}
          options={apps.map((each) => [each.app_id, each.name])}
          onPick={(app) => filters.set({ app })}
        />
      )}
    </FilterBar>
  );
}

function callColumns(): readonly Column<CallRow>[] {
  const { apiCalls: text } = words;
  return [
    {
      key: 'call',
      head: text.call,
      cell: ({ path, calls }) => (
        <Cut>
          <code>{path}</code>
          {calls > 1 && ` · ${calls}×`}
        </Cut>
      ),
    },
    {
      key: 'message',
      head: text.message,
      fill: true,
      phone: 'long',
      // The badge shows success, so only a refusal has its message here.
      cell: ({ code, message }) =>
        code !== 0 && (
          <Cut lang="en" title={message}>
            {message}
          </Cut>
        ),
    },
    {
      key: 'number',
      head: text.number,
      phone: 'out',
      cell: ({ out_trade_no: number }) => <bdi>{number}</bdi>,
    },
    {
      key: 'time',
      head: words.auditLog.time,
      phone: 'minor',
      cell: ({ at_ms: ms }) => <Time at={Math.floor(ms / 1_000)} form="exact" />,
    },
    {
      key: 'took',
      head: words.attemptsCompared.parts.duration_ms,
      end: true,
      phone: 'out',
      cell: ({ duration_ms: ms }) => millisecondsText(ms, language),
    },
    { key: 'answer', head: text.answer, phone: 'end', cell: (row) => <CallBadge {...row} /> },
  ];
}
