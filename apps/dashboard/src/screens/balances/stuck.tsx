// Money at addresses that cannot be moved from there, address by address, with its reason.
import type { RequestOf, ResponseOf } from '@ducat/contract/dashboard/registry';
import { type Currencies, useCurrencies } from '../../api/currencies.ts';
import { useAnswer } from '../../api/queries.ts';
import { trimZeros } from '../../format/amounts.ts';
import { Badge } from '../../parts/badge.tsx';
import { type Column, Table } from '../../parts/data/table.tsx';
import { Money } from '../../parts/money.tsx';
import { Card } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { words } from '../../words/words.ts';
import { Address } from '../address.tsx';

type Holding = ResponseOf<'balances.list-stuck'>['holdings'][number];

interface StuckProps {
  readonly which: RequestOf<'balances.list-stuck'>;
}

/** Renders nothing where no money is stuck, which is the usual case. */
export function Stuck({ which }: StuckProps) {
  const { statement: text } = words;
  const currencies = useCurrencies();
  const holdings = useAnswer('balances.list-stuck', which).data?.holdings ?? [];
  if (holdings.length === 0) return null;
  return (
    <Card title={text.stuck} bare>
      <Table
        label={text.stuck}
        columns={columns(currencies, which.currency_id)}
        rows={holdings}
        rowKey={({ address }) => address}
        bare
      />
    </Card>
  );
}

function columns(currencies: Currencies, currencyId: number): readonly Column<Holding>[] {
  const { statement: text } = words;
  return [
    {
      key: 'address',
      head: text.address,
      cell: ({ address }) => <Address text={address} label={text.address} {...{ currencies, currencyId }} />,
    },
    {
      key: 'reason',
      head: text.why,
      fill: true,
      phone: 'long',
      cell: ({ reason }) => reason !== null && <span lang="en">{reason}</span>,
    },
    { key: 'since', head: text.since, phone: 'minor', cell: ({ since }) => <Time at={since} /> },
    {
      key: 'state',
      head: words.orders.state,
      phone: 'end',
      cell: ({ state }) => (
        <Badge tone={state === 'frozen' ? 'error' : 'calm'} icon={state === 'frozen' ? 'warning' : 'waiting'}>
          {text.stuckStates[state]}
        </Badge>
      ),
    },
    {
      key: 'amount',
      head: words.orders.amount,
      end: true,
      phone: 'end',
      cell: ({ amount }) => <Money amount={trimZeros(amount, 2)} />,
    },
  ];
}
