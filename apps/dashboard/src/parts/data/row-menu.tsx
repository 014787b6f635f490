// The menu of one row of a table, behind three dots.
import { Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import { Menu } from '../menu.tsx';

interface RowMenuProps {
  /** The name of the row, for screen readers. */
  readonly label: string;
  readonly children: ReactNode;
}

export function RowMenu({ label, children }: RowMenuProps) {
  const dots = <Button tone="quiet" square aria-label={label} icon={<Ellipsis size={16} aria-hidden />} />;
  return <Menu trigger={dots}>{children}</Menu>;
}
