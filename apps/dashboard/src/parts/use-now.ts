// The time in Unix seconds, anew every half minute, by one timer for the whole page.
import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let now = Math.floor(Date.now() / 1_000);
let timer: ReturnType<typeof setInterval> | null = null;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Math.floor(Date.now() / 1_000);
    for (const each of listeners) each();
  }, 30_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}

export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}
