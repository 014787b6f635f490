// A table whose rows open with a click, with Enter, and are walked with the arrow keys; on a phone each row has two lines.
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { words } from '../../words/words.ts';
import { Button } from '../button.tsx';
import { classNames } from '../class-names.ts';
import { Bone } from './answer.tsx';
import styles from './table.module.css';

export interface Column<Row> {
  readonly key: string;
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  /** At the right, in digits of one width. */
  readonly end?: boolean;
  /** Takes the width that is left. */
  readonly fill?: boolean;
  /**
   * On a phone: left out, small, at the right edge, or small in a line of its own behind the name of its column. The
   * others fill two columns in their order.
   */
  readonly phone?: 'out' | 'minor' | 'end' | 'named';
}

export interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly onOpen?: (row: Row) => void;
  readonly pages?: Pages;
  /** Inside a card, which has the edges. */
  readonly bare?: boolean;
}

export interface Pages {
  readonly onNewer: (() => void) | null;
  readonly onOlder: (() => void) | null;
}

export function Table<Row>({ label, columns, rows, rowKey, onOpen, pages, bare }: TableProps<Row>) {
  return (
    <div className={bare === true ? undefined : styles['frame']}>
      <div className={styles['scroll']}>
        <table className={styles['table']}>
          <caption className="screen-reader">{label}</caption>
          <Head columns={columns} />
          <tbody>
            {rows.map((row, place) => (
              <tr
                key={rowKey(row)}
                {...(onOpen === undefined ? {} : openable(() => onOpen(row), place === 0))}
              >
                {columns.map((column) => (
                  <td key={column.key} className={cellClass(column)} data-name={column.head}>
                    {column.cell(row)}
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
                <td key={column.key} className={cellClass(column)}>
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
            <td key={column.key} className={cellClass(column)} />
          ) : (
            <th key={column.key} scope="col" className={cellClass(column)}>
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

function cellClass<Row>({ end, fill, phone }: Column<Row>): string {
  return classNames(
    end && styles['end'],
    fill && styles['fill'],
    phone === 'out' && styles['only-wide'],
    phone === 'minor' && styles['minor'],
    phone === 'end' && styles['phone-end'],
    phone === 'named' && styles['named'],
  );
}

/** Only one row is a stop for the Tab key; the arrows walk from there. */
function openable(open: () => void, isFirst: boolean) {
  return {
    className: styles['opens'],
    tabIndex: isFirst ? 0 : -1,
    onClick: open,
    onKeyDown: (event: KeyboardEvent<HTMLTableRowElement>) => {
      if (event.target !== event.currentTarget) return;
      if (event.key === 'Enter') return open();
      const next =
        event.key === 'ArrowDown'
          ? event.currentTarget.nextElementSibling
          : event.key === 'ArrowUp'
            ? event.currentTarget.previousElementSibling
            : null;
      if (!(next instanceof HTMLElement)) return;
      event.preventDefault();
      next.focus();
    },
  };
}
