// The keys of the dashboard, shown by the key ?, by the menu of the person and by the command palette.
import { Fragment, useEffect, useState } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { words } from '../words/words.ts';
import styles from './keys-dialog.module.css';
import { isFreeKey } from './free-key.ts';

const openEvent = 'open-keys';

export function openKeys(): void {
  document.dispatchEvent(new Event(openEvent));
}

/** The modifier key that the platform's shortcuts use with letters. */
export const commandKey = navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl';

export function KeysDialog() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const open = () => setOpen(true);
    const byKey = (event: KeyboardEvent) => {
      if (event.key === '?' && isFreeKey(event)) setOpen(true);
    };
    document.addEventListener(openEvent, open);
    document.addEventListener('keydown', byKey);
    return () => {
      document.removeEventListener(openEvent, open);
      document.removeEventListener('keydown', byKey);
    };
  }, []);
  const { keys: text } = words.shell;
  const rows: readonly (readonly [what: string, keys: readonly string[]])[] = [
    [text.search, ['/', `${commandKey} K`]],
    [text.rows, ['j', 'k']],
    [text.ends, ['Home', 'End']],
    [text.open, ['Enter']],
    [text.close, ['Esc']],
    [text.title, ['?']],
  ];
  return (
    <Dialog title={text.title} open={isOpen} onClose={() => setOpen(false)}>
      <dl className={styles['keys']}>
        {rows.map(([what, keys]) => (
          <Fragment key={what}>
            <dt>{what}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </Fragment>
        ))}
      </dl>
    </Dialog>
  );
}
