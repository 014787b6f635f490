// A notice that the page may be outdated while the browser has no network. Lists and streams ask again once it is back.
import { useSyncExternalStore } from 'react';
import { Notice } from '../parts/notice.tsx';
import { words } from '../words/words.ts';
import styles from './shell.module.css';

export function OfflineBar() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  return (
    <div className={styles['offline']} role="status">
      {!isOnline && <Notice tone="part">{words.failure.unreachable}</Notice>}
    </div>
  );
}

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}
