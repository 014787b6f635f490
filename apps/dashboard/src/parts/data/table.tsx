// A table whose rows can lead to a page or open a dialog. On a phone each row is a small block of lines.
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { words } from '../../words/words.ts';
import { Button } from '../button.tsx';
import { classNames } from '../class-names.ts';
import { Bone } from './answer.tsx';
import { Opener, openable, useFirstRowKey } from './row-opener.tsx';
import styles from './table.module.css';

export interface Column<Row> {
  readonly key: string;
  readonly head: string;
  /** `rows` are all rows that are shown, for a cell that depends on the other rows. */
  readonly cell: (row: Row, rows: readonly Row[]) => ReactNode;
  /** At the right, in digits of one width. */
  readonly end?: boolean;
  /**
   * Takes the width that is left, and cuts longer content. Where no column fills, the last column of words takes that
   * width.
   */
  readonly fill?: boolean;
  /** As wide as its content, and cut where the content is longer than names are. */
  readonly name?: boolean;
  /** Content that is too long wraps into a second line instead of being cut. */
  readonly wrap?: boolean;
  /** The place of the cell on a phone. Without it a cell stands at the left edge, and a figure at the right edge. */
  readonly phone?: PhonePlace;
}

/**
 * `out`: left out. `minor`: small, below the others of the left edge. `end`: at the right edge. `minor-end`: small, below
 * those. `long`: a line of its own that may wrap. `named`: a line of its own behind the name of its column. `side`: a
 * button beside the first line.
 */
type PhonePlace = 'out' | 'minor' | 'end' | 'minor-end' | 'long' | 'named' | 'side';

export interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** Where a row leads. The first cell holds the link. */
  readonly to?: (row: Row) => string;
  /** Opens a row that leads to no page. The first cell holds the button. */
  readonly onOpen?: (row: Row) => void;
  readonly pages?: Pages;
  /** Inside a card, which has the edges. */
  readonly bare?: boolean;
}

export interface Pages {
  readonly onNewer: (() => void) | null;
  readonly onOlder: (() => void) | null;
}

export function Table<Row>({ label, columns, rows, rowKey, to, onOpen, pages, bare }: TableProps<Row>) {
  const opens = to !== undefined || onOpen !== undefined;
  const body = useFirstRowKey(opens);
  return (
    <div className={bare === true ? undefined : styles['frame']}>
      <div className={styles['scroll']}>
        <table className={styles['table']}>
          <caption className="screen-reader">{label}</caption>
          <Head columns={columns} />
          <tbody ref={body}>
            {rows.map((row, place) => (
              <tr
                key={rowKey(row)}
                {...(opens ? openable : {})}
                className={opens ? styles['opens'] : undefined}
              >
                {columns.map((column, index) => (
                  <td key={column.key} className={cellClass(column, columns)} data-name={column.head}>
                    {opens && index === 0 ? (
                      <Opener to={to?.(row)} onOpen={() => onOpen?.(row)} isFirst={place === 0}>
                        {column.cell(row, rows)}
                      </Opener>
                    ) : (
                      column.cell(row, rows)
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {pages !== undefined && <PageButtons {...pages} />}
    </div>
  );
}

interface TableSkeletonProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: number;
  readonly bare?: boolean;
}

/** The same table with grey bars. */
export function TableSkeleton<Row>({ columns, rows, bare }: TableSkeletonProps<Row>) {
  return (
    <div className={bare === true ? undefined : styles['frame']}>
      <table className={styles['table']} aria-hidden>
        <Head columns={columns} />
        <tbody>
          {Array.from({ length: rows }, (_, row) => (
            <tr key={row}>
              {columns.map((column, place) => (
                <td key={column.key} className={cellClass(column, columns)}>
                  <Bone width={40 + ((row * 37 + place * 53) % 50)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Head<Row>({ columns }: { readonly columns: readonly Column<Row>[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column) =>
          column.head === '' ? (
            <td key={column.key} className={cellClass(column, columns)} />
          ) : (
            <th key={column.key} scope="col" className={cellClass(column, columns)}>
              {column.head}
            </th>
          ),
        )}
      </tr>
    </thead>
  );
}

function PageButtons({ onNewer, onOlder }: Pages) {
  if (onNewer === null && onOlder === null) return null;
  return (
    <div className={styles['foot']}>
      <Button
        tone="quiet"
        icon={<ChevronLeft size={16} aria-hidden />}
        disabled={onNewer === null}
        onClick={() => onNewer?.()}
      >
        {words.newer}
      </Button>
      <Button tone="quiet" disabled={onOlder === null} onClick={() => onOlder?.()}>
        {words.older}
        <ChevronRight size={16} aria-hidden />
      </Button>
    </div>
  );
}

function cellClass<Row>(column: Column<Row>, columns: readonly Column<Row>[]): string {
  const { end, fill, name, wrap, phone } = column;
  return classNames(
    end && styles['end'],
    fill && styles['fill'],
    name && styles['name'],
    column === restOf(columns) && styles['rest'],
    wrap && styles['wrap'],
    phone !== undefined && styles[`phone-${phone}`],
  );
}

/**
 * The column that takes the width that is left. It is the last column of words, so that a name stays beside its figures.
 * There is none where a column fills, or where all other columns are figures, which share the width.
 */
function restOf<Row>(columns: readonly Column<Row>[]): Column<Row> | undefined {
  if (columns.some(({ fill }) => fill === true)) return undefined;
  return columns.slice(1).findLast(({ end }) => end !== true);
}
