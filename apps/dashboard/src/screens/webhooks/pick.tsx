// Webhooks picked by hand to be sent again: a box at each row, and one button for all of a page.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useState } from 'react';
import { useAct } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { refusalText } from '../../parts/data/failure.tsx';
import type { Column } from '../../parts/data/table.tsx';
import { say } from '../../parts/toasts.tsx';
import { counted, fill, words } from '../../words/words.ts';
import styles from './pick.module.css';

type Row = ResponseOf<'webhooks.list'>['events'][number];

export interface Picked {
  /** The ids of the picked events, of the rows that are shown. */
  readonly ids: readonly string[];
  readonly column: Column<Row>;
  readonly clear: () => void;
}

/** Only an event that was given up or delivered can be sent again. Any other event is on its way, or has no address. */
export function usePicked(rows: readonly Row[]): Picked {
  const [all, setAll] = useState<ReadonlySet<string>>(new Set());
  const canPick = ({ state }: Row) => state === 'dead' || state === 'delivered';
  const pick = (id: string, isPicked: boolean) =>
    setAll((before) => new Set(isPicked ? [...before, id] : [...before].filter((each) => each !== id)));
  const column: Column<Row> = {
    key: 'pick',
    head: '',
    phone: 'side',
    cell: (row) =>
      canPick(row) && (
        <label className={styles['pick']}>
          <input
            type="checkbox"
            aria-label={fill(words.webhooks.pick, { event: `${row.type} ${row.status}`, of: row.trade_no })}
            checked={all.has(row.event_id)}
            onChange={({ target }) => pick(row.event_id, target.checked)}
          />
        </label>
      ),
  };
  const ids = rows.filter((row) => canPick(row) && all.has(row.event_id)).map(({ event_id: id }) => id);
  return { ids, column, clear: () => setAll(new Set()) };
}

interface ResendPickedProps {
  readonly merchantId: string;
  readonly picked: Picked;
}

export function ResendPicked({ merchantId, picked: { ids, clear } }: ResendPickedProps) {
  const act = useAct('webhooks.resend', ({ resent }) => {
    say(counted(words.resendSpan.done, resent.length));
    clear();
  });
  if (ids.length === 0) return null;
  return (
    <Button
      tone="primary"
      busy={act.isPending}
      onClick={() =>
        act.mutate(
          { merchant_id: merchantId, event_ids: [...ids] },
          { onError: (error) => say(refusalText(error)) },
        )
      }
    >
      {fill(words.webhooks.resendPicked, { count: ids.length })}
    </Button>
  );
}
