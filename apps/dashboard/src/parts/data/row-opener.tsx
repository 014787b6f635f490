// What opens a row: a link or a button in its first cell, a click anywhere on the row, and keys that walk between rows.
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import styles from './table.module.css';

/** The link or button of a row, by which keys and clicks find it. */
const OPENER = '[data-opener]';

interface OpenerProps {
  readonly to: string | undefined;
  readonly onOpen: () => void;
  /** Only the first row is a stop for the Tab key. */
  readonly isFirst: boolean;
  readonly children: ReactNode;
}

/** A real link where there is an address, so that a browser can open it in another tab. */
export function Opener({ to, onOpen, isFirst, children }: OpenerProps) {
  const common = { className: styles['opener'], tabIndex: isFirst ? 0 : -1, 'data-opener': '' };
  return to === undefined ? (
    <button type="button" {...common} onClick={onOpen}>
      {children}
    </button>
  ) : (
    <Link {...common} to={to}>
      {children}
    </Link>
  );
}

/** The handlers of a row that opens by a click anywhere on it. */
export const openable = {
  onClick: (event: MouseEvent<HTMLTableRowElement>) => {
    // Links, buttons and checkboxes of the row keep their own effect. Selected text is about to be copied.
    if (event.target instanceof Element && event.target.closest('a, button, label') !== null) return;
    if (getSelection()?.isCollapsed === false) return;
    const { ctrlKey, metaKey, shiftKey } = event;
    // The copied event carries the modifier keys, with which a browser opens another tab or window.
    const copy = { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey };
    openerOf(event.currentTarget)?.dispatchEvent(new window.MouseEvent('click', copy));
  },
  onKeyDown: (event: KeyboardEvent<HTMLTableRowElement>) => {
    if (!(event.target instanceof Element) || !event.target.matches(OPENER) || hasModifier(event)) return;
    const next = openerOf(rowFrom(event.currentTarget, event.key));
    if (next === null) return;
    event.preventDefault();
    next.focus();
  },
};

/** The key j, pressed outside of fields, focuses the first row. */
export function useFirstRowKey(opens: boolean) {
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    if (!opens) return;
    const walkIn = (event: globalThis.KeyboardEvent) => {
      const isFree = document.activeElement === null || document.activeElement === document.body;
      if (event.key !== 'j' || !isFree || hasModifier(event)) return;
      openerOf(body.current)?.focus();
    };
    document.addEventListener('keydown', walkIn);
    return () => document.removeEventListener('keydown', walkIn);
  }, [opens]);
  return body;
}

function rowFrom(row: Element, key: string): Element | null {
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return row.nextElementSibling;
    case 'ArrowUp':
    case 'k':
      return row.previousElementSibling;
    case 'Home':
      return row.parentElement?.firstElementChild ?? null;
    case 'End':
      return row.parentElement?.lastElementChild ?? null;
    default:
      return null;
  }
}

function openerOf(place: Element | null): HTMLElement | null {
  return place?.querySelector<HTMLElement>(OPENER) ?? null;
}

function hasModifier({ altKey, ctrlKey, metaKey }: { altKey: boolean; ctrlKey: boolean; metaKey: boolean }) {
  return altKey || ctrlKey || metaKey;
}
