// The order as the gateway reports it and the time as it passes, for as long as the page is open.
import type { CheckoutState } from '@ducat/contract/checkout-view';
import { useEffect, useState } from 'preact/hooks';
import { followOrder } from './live.ts';

export interface LiveOrder {
  readonly state: CheckoutState;
  readonly setState: (state: CheckoutState) => void;
  /** Unix seconds by the gateway's clock. */
  readonly now: number;
  readonly isOffline: boolean;
  /** False until the script has taken over the page that the server wrote. */
  readonly isLive: boolean;
}

const TICK_MS = 1_000;

/** `address` is that of the order's page. */
export function useOrder(address: string, first: CheckoutState): LiveOrder {
  const [state, setState] = useState<CheckoutState>(first);
  const [isOffline, setOffline] = useState(false);
  const [isLive, setLive] = useState(false);
  const [now, setNow] = useState(first.now);
  useEffect(() => {
    setLive(true);
    followOrder(address, { state: setState, offline: setOffline });
  }, []);
  useEffect(() => {
    // The device's clock may be wrong, so only the time that passes on it is used.
    const offset = state.now - Math.floor(Date.now() / 1_000);
    const tick = () => setNow(Math.floor(Date.now() / 1_000) + offset);
    tick();
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, [state]);
  return { state, setState, now, isOffline, isLive };
}
