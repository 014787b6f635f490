// A card that holds one table under its title.
import type { ReactNode } from 'react';
import { Card } from '../page.tsx';
import { Table, type TableProps } from './table.tsx';

interface TableCardProps<Row> extends Pick<TableProps<Row>, 'columns' | 'rows' | 'rowKey'> {
  readonly title: string;
  /** What the card holds without rows. A card without it is left out. */
  readonly empty?: ReactNode;
}

export function TableCard<Row>({ title, rows, empty, ...table }: TableCardProps<Row>) {
  if (rows.length === 0 && empty === undefined) return null;
  return (
    <Card title={title} bare>
      {rows.length === 0 ? empty : <Table bare label={title} rows={rows} {...table} />}
    </Card>
  );
}
