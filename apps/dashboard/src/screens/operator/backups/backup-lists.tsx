// The receivers of the WAL as it is written, and the marks of backups and restores.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { sizeText } from '../../../format/sizes.ts';
import { durationText } from '../../../format/times.ts';
import { Command } from '../../../parts/copyable.tsx';
import type { Column } from '../../../parts/data/table.tsx';
import { TableCard } from '../../../parts/data/table-card.tsx';
import { Card } from '../../../parts/page.tsx';
import { Time } from '../../../parts/time.tsx';
import { fill, language, words } from '../../../words/words.ts';

type Answer = ResponseOf<'backups.read'>;
type Receiver = NonNullable<Answer['receivers']>[number];
type Mark = Answer['marks'][number];

interface ReceiversProps {
  readonly receivers: readonly Receiver[] | null;
  readonly role: string;
}

export function Receivers({ receivers, role }: ReceiversProps) {
  const { backups: text } = words;
  if (receivers === null)
    return (
      <Card title={text.receivers}>
        <p>{fill(text.receiversHidden, { role })}</p>
        <Command text={`GRANT pg_read_all_stats TO "${role}";`} label={text.command} />
      </Card>
    );
  if (receivers.length === 0)
    return (
      <Card title={text.receivers}>
        <p>{text.noReceivers}</p>
      </Card>
    );
  return (
    <TableCard
      title={text.receivers}
      columns={receiverColumns()}
      rows={receivers}
      rowKey={({ name, address }) => `${name} ${address}`}
    />
  );
}

function receiverColumns(): readonly Column<Receiver>[] {
  const { backups: text } = words;
  return [
    { key: 'name', head: text.receiver, cell: ({ name }) => <strong>{name}</strong> },
    { key: 'address', head: text.address, phone: 'minor', cell: ({ address }) => <code>{address}</code> },
    {
      key: 'state',
      head: words.orders.state,
      fill: true,
      phone: 'end',
      cell: ({ state, sync_state: sync }) => (
        <code>
          {state}, {sync}
        </code>
      ),
    },
    {
      key: 'behind',
      head: text.behind,
      end: true,
      phone: 'named',
      cell: ({ behind_bytes: bytes, behind_ms: ms }) =>
        bytes === null
          ? text.unknown
          : [sizeText(bytes, language), ...(ms === null ? [] : [durationText(ms / 1_000, language)])].join(
              ' · ',
            ),
    },
  ];
}

export function Marks({ marks }: { readonly marks: readonly Mark[] }) {
  const { backups: text } = words;
  const columns: readonly Column<Mark>[] = [
    { key: 'kind', head: text.kind, cell: ({ kind }) => <strong>{text.kinds[kind]}</strong> },
    {
      key: 'note',
      head: text.note,
      fill: true,
      phone: 'minor',
      cell: ({ note }) => <bdi>{note}</bdi>,
    },
    {
      key: 'size',
      head: text.size,
      end: true,
      phone: 'named',
      cell: ({ bytes }) => bytes !== null && sizeText(bytes, language),
    },
    { key: 'by', head: text.by, phone: 'minor', cell: ({ marked_by: by }) => <bdi>{by}</bdi> },
    { key: 'at', head: text.when, phone: 'end', cell: ({ at }) => <Time at={at} /> },
  ];
  return (
    <TableCard
      title={text.marks}
      columns={columns}
      rows={marks}
      rowKey={({ kind, at, marked_by: by, note }) => `${kind} ${at} ${by} ${note}`}
    />
  );
}
