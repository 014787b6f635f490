// A card that holds one table under its title.
import type { ReactNode } from 'react';
import { Card } from '../page.tsx';
import { Table, type TableProps } from './table.tsx';

interface TableCardProps<Row> extends Pick<TableProps<Row>, 'columns' | 'rows' | 'rowKey'> {
  readonly title: string;
  /** The content of the card where there are no rows. Without it, the card is left out then. */
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
