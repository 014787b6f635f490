// What operators added here: what waits for a start of the gateway, and the lines that would change it in the file.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useState } from 'react';
import { useAnswer } from '../../../api/queries.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Button } from '../../../parts/button.tsx';
import { CopyButton } from '../../../parts/copyable.tsx';
import { TableCard } from '../../../parts/data/table-card.tsx';
import type { Column } from '../../../parts/data/table.tsx';
import { Actions, Dialog } from '../../../parts/dialog.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { Stack } from '../../../parts/page.tsx';
import { Time } from '../../../parts/time.tsx';
import { words } from '../../../words/words.ts';

type Row = ResponseOf<'chains.list-added'>['added'][number];

/** Nothing where nothing was added. */
export function Added() {
  const { additions: text } = words;
  const added = useAnswer('chains.list-added', {}).data?.added ?? [];
  const [shown, setShown] = useState<Row | null>(null);
  if (added.length === 0) return null;
  return (
    <Stack>
      {added.some((row) => !row.is_in_force) && <Notice tone="part">{text.restart}</Notice>}
      <TableCard
        title={text.list}
        columns={addedColumns(setShown)}
        rows={added}
        rowKey={({ name }) => name}
      />
      {shown !== null && <Section row={shown} onClose={() => setShown(null)} />}
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
      cell: ({ is_in_force: isInForce }) => (
        <Badge tone={isInForce ? 'paid' : 'part'} icon={isInForce ? 'done' : 'waiting'}>
          {isInForce ? text.inForce : text.waits}
        </Badge>
      ),
    },
    { key: 'by', head: text.by, phone: 'minor', cell: ({ added_by: by }) => <bdi>{by}</bdi> },
    { key: 'at', head: words.orders.time, phone: 'out', cell: ({ added_at: at }) => <Time at={at} /> },
    {
      key: 'show',
      head: '',
      end: true,
      phone: 'end',
      cell: (row) => <Button onClick={() => onShow(row)}>{text.show}</Button>,
    },
  ];
}

function Section({ row, onClose }: { readonly row: Row; readonly onClose: () => void }) {
  const { additions: text } = words;
  return (
    <Dialog title={text.section} description={text.sectionUnder} open onClose={onClose} wide>
      <pre dir="ltr" tabIndex={0}>
        {row.section}
      </pre>
      <Actions>
        <CopyButton text={row.section} label={text.section} />
        <Button onClick={onClose}>{words.close}</Button>
      </Actions>
    </Dialog>
  );
}
