// A list that the server answers page by page: grey bars at first, then the rows, or the empty state.
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Answer } from './answer.tsx';
import { type Pages, Table, type TableProps, TableSkeleton } from './table.tsx';

interface PagedTableProps<Cursor, Page extends { readonly next_cursor: Cursor | null }, Row>
  extends Pick<TableProps<Row>, 'label' | 'columns' | 'rowKey' | 'to' | 'onOpen'> {
  readonly query: UseQueryResult<Page>;
  readonly rowsOf: (page: Page) => readonly Row[];
  readonly pages: (next: Cursor | null) => Pages;
  readonly skeletonRows: number;
  readonly empty: ReactNode;
  /** What stands under the rows of a page, if anything. */
  readonly under?: (page: Page) => ReactNode;
}

export function PagedTable<Cursor, Page extends { readonly next_cursor: Cursor | null }, Row>({
  query,
  rowsOf,
  pages,
  skeletonRows,
  empty,
  under = () => null,
  ...table
}: PagedTableProps<Cursor, Page, Row>) {
  return (
    <Answer query={query} skeleton={<TableSkeleton columns={table.columns} rows={skeletonRows} />}>
      {(page) =>
        rowsOf(page).length === 0 && page.next_cursor === null ? (
          empty
        ) : (
          <>
            <Table {...table} rows={rowsOf(page)} pages={pages(page.next_cursor)} />
            {under(page)}
          </>
        )
      }
    </Answer>
  );
}
