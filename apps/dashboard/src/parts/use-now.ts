// The time in Unix seconds by the gateway's clock, anew every half minute, by one timer for the whole page.
import { useSyncExternalStore } from 'react';

const LEAST_DIFFERENCE_S = 30;
const listeners = new Set<() => void>();
/** How far the gateway's clock is ahead of that of the browser, in seconds. */
let ahead = 0;
let now = read();
let timer: ReturnType<typeof setInterval> | null = null;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(renew, 30_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}

function read(): number {
  return Math.floor(Date.now() / 1_000) + ahead;
}

function renew(): void {
  now = read();
  for (const each of listeners) each();
}

/**
 * `seconds` is what the gateway's clock showed when this browser's showed `atMs`. A small difference does not count,
 * because it may be the answer's time on its way.
 */
export function setClock(seconds: number, atMs: number): void {
  const difference = seconds - Math.floor(atMs / 1_000);
  ahead = Math.abs(difference) < LEAST_DIFFERENCE_S ? 0 : difference;
  renew();
}

export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}
