// What a merchant sees first: the money received, what needs a person, the newest orders.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { Link, useParams } from 'react-router';
import { useCurrencies } from '../../api/currencies.ts';
import { useLiveAnswer } from '../../api/live.ts';
import { usePerson } from '../../api/session.ts';
import { useFilters } from '../../api/use-filters.ts';
import { buttonClass } from '../../parts/button.tsx';
import { Answer, Bone } from '../../parts/data/answer.tsx';
import { Empty } from '../../parts/data/empty.tsx';
import { Table } from '../../parts/data/table.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Card, Page, Split } from '../../parts/page.tsx';
import { Segments } from '../../parts/segments.tsx';
import { words } from '../../words/words.ts';
import { useTestApps } from '../test-badge.tsx';
import { orderColumns } from '../orders/order-columns.tsx';
import { NeedsYou } from './needs-you.tsx';
import { Coins, Received } from './received.tsx';

type Period = '24h' | '7d' | '30d';
const periods: readonly Period[] = ['24h', '7d', '30d'];

export function Home() {
  const { merchantId = '' } = useParams();
  const { home: text } = words;
  const filters = useFilters();
  const period = periods.find((each) => each === filters.get('period')) ?? '7d';
  const isSuspended = usePerson().memberships.some(
    ({ merchant_id: id, is_suspended: suspended }) => id === merchantId && suspended,
  );
  const query = useLiveAnswer('home.read', { merchant_id: merchantId, period }, { keep: true });
  return (
    <Page
      title={text.title}
      actions={
        <Segments
          label={text.period}
          value={period}
          options={periods.map((each) => [each, text.periods[each]])}
          onPick={(next) => filters.set({ period: next })}
        />
      }
    >
      {isSuspended && <Notice tone="part">{text.suspended}</Notice>}
      <Answer query={query} skeleton={<HomeSkeleton />}>
        {(home) => <HomeBody home={home} period={period} />}
      </Answer>
    </Page>
  );
}

interface HomeBodyProps {
  readonly home: ResponseOf<'home.read'>;
  readonly period: Period;
}

function HomeBody({ home, period }: HomeBodyProps) {
  const isNew = home.newest_orders.length === 0 && home.received.every(({ payments }) => payments === 0);
  return (
    <Split>
      {isNew ? (
        <Card>
          <NoOrders />
        </Card>
      ) : (
        <Received home={home} period={period} />
      )}
      <NeedsYou home={home} />
      {!isNew && <NewestOrders home={home} />}
      <Coins home={home} />
    </Split>
  );
}

/** The empty state, with the way to the first order. */
function NoOrders() {
  const { merchantId = '' } = useParams();
  const { home: text } = words;
  return (
    <Empty
      title={text.noOrders}
      action={
        <Link to={`/m/${merchantId}/apps`} className={buttonClass('primary')}>
          {text.toApps}
        </Link>
      }
    >
      {text.noOrdersUnder}
    </Empty>
  );
}

function NewestOrders({ home }: Pick<HomeBodyProps, 'home'>) {
  const { merchantId = '' } = useParams();
  const { home: text } = words;
  const currencies = useCurrencies();
  const testApps = useTestApps(merchantId);
  return (
    <Card
      title={text.newest}
      bare
      action={
        <Link to={`/m/${merchantId}/orders`} className={buttonClass('quiet')}>
          {text.allOrders}
        </Link>
      }
    >
      {home.newest_orders.length === 0 ? (
        <NoOrders />
      ) : (
        <Table
          label={text.newest}
          columns={orderColumns(currencies, testApps).filter(
            ({ key }) => key !== 'webhook' && key !== 'network',
          )}
          rows={home.newest_orders}
          rowKey={(row) => row.trade_no}
          to={(row) => `/m/${merchantId}/orders/${row.trade_no}`}
          bare
        />
      )}
    </Card>
  );
}

function HomeSkeleton() {
  return (
    <Split>
      <Card>
        <Bone width={180} height={32} />
        <Bone width="100%" height={220} />
      </Card>
      <Card>
        <Bone width="80%" />
        <Bone width="60%" />
        <Bone width="70%" />
      </Card>
    </Split>
  );
}
