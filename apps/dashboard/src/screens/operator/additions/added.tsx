// What operators added here: what waits for a start of the gateway, and the lines that would change it in the file.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useState } from 'react';
import { Link } from 'react-router';
import { useAnswer } from '../../../api/queries.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Button, buttonClass } from '../../../parts/button.tsx';
import { CopyButton } from '../../../parts/copyable.tsx';
import { TableCard } from '../../../parts/data/table-card.tsx';
import type { Column } from '../../../parts/data/table.tsx';
import { Actions, Dialog } from '../../../parts/dialog.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { Stack } from '../../../parts/page.tsx';
import { Time } from '../../../parts/time.tsx';
import { words } from '../../../words/words.ts';
import { ChangeToken } from './change-token.tsx';
import { RemoveAdded } from './remove-added.tsx';

type Row = ResponseOf<'chains.list-added'>['added'][number];

/** Renders nothing where nothing was added. */
export function Added() {
  const { additions: text } = words;
  const added = useAnswer('chains.list-added', {}).data?.added ?? [];
  const [shown, setShown] = useState<Row | null>(null);
  const [act, setAct] = useState<'show' | 'change' | 'remove'>('show');
  const close = () => {
    setShown(null);
    setAct('show');
  };
  if (added.length === 0) return null;
  return (
    <Stack>
      {added.some((row) => row.is_removed || (!row.is_in_force && row.left_out === null)) && (
        <Notice tone="part">{text.restart}</Notice>
      )}
      <TableCard
        title={text.list}
        columns={addedColumns(setShown)}
        rows={added}
        rowKey={({ name }) => name}
      />
      {shown !== null && act === 'show' && <Section row={shown} onClose={close} onAct={setAct} />}
      {shown !== null && act === 'change' && <ChangeToken row={shown} onClose={close} />}
      {shown !== null && act === 'remove' && <RemoveAdded row={shown} onClose={close} />}
    </Stack>
  );
}

function addedColumns(onShow: (row: Row) => void): readonly Column<Row>[] {
  const { additions: text } = words;
  return [
    { key: 'name', head: text.what, fill: true, cell: ({ name }) => <strong>{name}</strong> },
    {
      key: 'state',
      head: words.orders.state,
      phone: 'end',
      cell: (row) => <AddedBadge row={row} />,
    },
    { key: 'by', head: text.by, phone: 'minor', cell: ({ added_by: by }) => <bdi>{by}</bdi> },
    { key: 'at', head: words.orders.time, phone: 'out', cell: ({ added_at: at }) => <Time at={at} /> },
    {
      key: 'show',
      head: '',
      end: true,
      phone: 'side',
      cell: (row) => <Button onClick={() => onShow(row)}>{text.show}</Button>,
    },
  ];
}

function AddedBadge({ row }: { readonly row: Row }) {
  const { additions: text } = words;
  if (row.left_out !== null)
    return (
      <Badge tone="error" icon="warning">
        {text.leftOut}
      </Badge>
    );
  if (row.is_removed)
    return (
      <Badge tone="part" icon="waiting">
        {text.removes}
      </Badge>
    );
  return (
    <Badge tone={row.is_in_force ? 'paid' : 'part'} icon={row.is_in_force ? 'done' : 'waiting'}>
      {row.is_in_force ? text.inForce : text.waits}
    </Badge>
  );
}

interface SectionProps {
  readonly row: Row;
  readonly onClose: () => void;
  readonly onAct: (act: 'change' | 'remove') => void;
}

function Section({ row, onClose, onAct }: SectionProps) {
  const { additions: text } = words;
  return (
    <Dialog
      title={row.section === '' ? row.name : text.section}
      description={text.sectionUnder}
      open
      onClose={onClose}
      wide
    >
      {row.left_out !== null && (
        <Notice tone="error">
          <bdi>{row.left_out}</bdi>
          <br />
          {text.leftOutUnder}
        </Notice>
      )}
      {row.section !== '' && (
        <pre dir="ltr" tabIndex={0}>
          {row.section}
        </pre>
      )}
      <Actions>
        {row.section !== '' && <CopyButton text={row.section} label={text.section} />}
        {row.chain_terms !== null && !row.is_removed && (
          <Link to={`/operator/chains/change/${row.chain}`} className={buttonClass('plain')}>
            {text.change}
          </Link>
        )}
        {row.token_terms !== null && !row.is_removed && (
          <Button onClick={() => onAct('change')}>{text.change}</Button>
        )}
        {!row.is_removed && (
          <Button tone="dangerous" onClick={() => onAct('remove')}>
            {text.remove}
          </Button>
        )}
      </Actions>
    </Dialog>
  );
}
