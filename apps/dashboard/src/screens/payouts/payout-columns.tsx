// Columns of a list of payouts, for one merchant and for operators: the recipient and the progress.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { shorten } from '../../format/groups.ts';
import type { Column } from '../../parts/data/table.tsx';
import { Time } from '../../parts/time.tsx';
import { words } from '../../words/words.ts';
import { PayoutBadge } from './payout-badge.tsx';

type Payout = ResponseOf<'payouts.list'>['payouts'][number];
type Payee = Pick<Payout, 'to_label' | 'to_address'>;
type Progress = Pick<Payout, 'create_time' | 'status' | 'needs_approval' | 'approved_until'>;

export function payeeColumn<Row extends Payee>(): Column<Row> {
  return {
    key: 'to',
    head: words.payouts.to,
    name: true,
    cell: ({ to_label: label, to_address: address }) => (
      <bdi title={address}>{label ?? shorten(address, 8, 6)}</bdi>
    ),
  };
}

export function progressColumns<Row extends Progress>(): readonly Column<Row>[] {
  return [
    {
      key: 'time',
      head: words.orders.time,
      phone: 'minor',
      cell: ({ create_time: at }) => <Time at={at} />,
    },
    {
      key: 'state',
      head: words.orders.state,
      phone: 'end',
      cell: ({ status, needs_approval: needs, approved_until: until }) => (
        <PayoutBadge status={status} needsApproval={needs && until === null} />
      ),
    },
  ];
}
