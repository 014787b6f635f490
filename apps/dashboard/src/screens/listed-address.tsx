// An entry of an app's address list in a table: its name with its address, and from when payouts may go there.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { shorten } from '../format/groups.ts';
import { Badge } from '../parts/badge.tsx';
import type { Column } from '../parts/data/table.tsx';
import { Time } from '../parts/time.tsx';
import { words } from '../words/words.ts';

export type ListedAddress = ResponseOf<'address-list.list'>['addresses'][number];

export function labelColumn(): Column<ListedAddress> {
  return {
    key: 'label',
    head: words.addresses.label,
    fill: true,
    cell: ({ label, address }) => (
      <>
        <bdi>{label}</bdi> <code title={address}>{shorten(address, 8, 6)}</code>
      </>
    ),
  };
}

/** `now` in Unix seconds. */
export function stateColumn(now: number): Column<ListedAddress> {
  const { addresses: text } = words;
  return {
    key: 'state',
    head: words.orders.state,
    phone: 'minor',
    cell: ({ usable_from: from }) =>
      from <= now ? (
        <Badge tone="paid" icon="done">
          {text.usable}
        </Badge>
      ) : (
        <>
          {text.coolsUntil} <Time at={from} />
        </>
      ),
  };
}
