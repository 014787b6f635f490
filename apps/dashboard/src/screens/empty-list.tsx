// The empty state of a list: how to make the first entry, or a button that clears the filters where nothing matches.
import type { ReactNode } from 'react';
import type { Filters } from '../api/use-filters.ts';
import { Button } from '../parts/button.tsx';
import { Empty } from '../parts/data/empty.tsx';
import { words } from '../words/words.ts';

interface EmptyListProps {
  readonly filters: Pick<Filters, 'isFiltered' | 'clear'>;
  readonly title: string;
  /** The title where there are filters. */
  readonly noneFit: string;
  /** The action that makes the first entry. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

export function EmptyList({ filters, title, noneFit, action, children }: EmptyListProps) {
  const { orders: text } = words;
  if (!filters.isFiltered)
    return (
      <Empty title={title} action={action}>
        {children}
      </Empty>
    );
  return (
    <Empty title={noneFit} action={<Button onClick={filters.clear}>{text.clear}</Button>}>
      {text.noneFitUnder}
    </Empty>
  );
}
