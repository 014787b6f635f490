// A menu under a button.
import { Menu as Base } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './menu.module.css';

interface MenuProps {
  readonly trigger: ReactElement;
  readonly align?: 'start' | 'end';
  readonly side?: 'top' | 'bottom';
  readonly children: ReactNode;
}

export function Menu({ trigger, align = 'end', side = 'bottom', children }: MenuProps) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className={styles['positioner']} align={align} side={side} sideOffset={4}>
          <Base.Popup className={styles['popup']}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface MenuItemProps {
  readonly icon?: ReactNode;
  readonly danger?: boolean;
  readonly checked?: boolean;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}

export function MenuItem({ icon, danger, checked, onSelect, children }: MenuItemProps) {
  return (
    <Base.Item className={classNames(styles['item'], danger && styles['danger'])} onClick={onSelect}>
      {icon}
      <span className={styles['grow']}>{children}</span>
      {checked === true && <Check size={16} aria-hidden />}
    </Base.Item>
  );
}

export function MenuSeparator() {
  return <Base.Separator className={styles['separator']} />;
}

export function MenuLabel({ children }: { readonly children: ReactNode }) {
  return <div className={styles['label']}>{children}</div>;
}
