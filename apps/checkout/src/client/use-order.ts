// The order as the gateway reports it and the time as it passes, for as long as the page is open.
import type { CheckoutState } from '@ducat/contract/checkout-view';
import { useEffect, useState } from 'preact/hooks';
import { type Following, followOrder } from './live.ts';

export interface LiveOrder {
  readonly state: CheckoutState;
  /** Unix seconds by the gateway's clock. */
  readonly now: number;
  readonly isOffline: boolean;
  /** Null until the script has taken over the page that the server wrote. */
  readonly following: Following | null;
}

const TICK_MS = 1_000;

/** `address` is that of the order's page. */
export function useOrder(address: string, first: CheckoutState): LiveOrder {
  const [state, setState] = useState<CheckoutState>(first);
  const [isOffline, setOffline] = useState(false);
  const [following, setFollowing] = useState<Following | null>(null);
  const [now, setNow] = useState(first.now);
  useEffect(() => {
    setFollowing(followOrder(address, { state: setState, offline: setOffline }));
  }, []);
  useEffect(() => {
    // The device's clock may be wrong, so only the time that passes on it is used.
    const offset = state.now - Math.floor(Date.now() / 1_000);
    const tick = () => setNow(Math.floor(Date.now() / 1_000) + offset);
    tick();
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, [state]);
  return { state, now, isOffline, following };
}
