// Keeps the state of an order fresh: a stream while the page is shown, asking again where no stream gets through.
import type { CheckoutState } from '@ducat/contract/checkout-view';
import { askState } from './ask-gateway.ts';

export interface LiveReport {
  state(state: CheckoutState): void;
  offline(isOffline: boolean): void;
}

/** A stream that is silent for this long is probably buffered by a proxy, so the page polls instead. */
const QUIET_MS = 45_000;
const LOOK_EVERY_MS = 5_000;

/**
 * `address` is that of the order, such as /pay/ord_…. A hidden page holds no connection; when it is shown again, it asks at
 * once.
 */
export function followOrder(address: string, report: LiveReport): void {
  let stream: EventSource | null = null;
  let lastAt = Date.now();
  let isOffline = false;

  const setOffline = (is: boolean) => {
    isOffline = is;
    report.offline(is);
  };
  const receive = (state: CheckoutState) => {
    lastAt = Date.now();
    report.state(state);
  };
  const ask = () =>
    askState(address).then(
      (state) => {
        setOffline(false);
        receive(state);
      },
      () => setOffline(true),
    );
  const listen = () => {
    stream?.close();
    stream = new EventSource(`${address}/events`);
    // The messages are our own server's, of the shape that the contract describes.
    stream.onmessage = ({ data }) => {
      const state: CheckoutState = JSON.parse(String(data));
      receive(state);
      // The message may have been on its way when the connection was lost. Only an answer to a new request proves a
      // connection.
      if (isOffline) void ask();
    };
  };
  const show = () => {
    if (document.hidden) {
      stream?.close();
      return;
    }
    void ask();
    listen();
  };
  document.addEventListener('visibilitychange', show);
  addEventListener('online', show);
  addEventListener('offline', () => setOffline(true));
  setInterval(() => {
    const isCut = stream?.readyState === EventSource.CLOSED;
    if (
      document.hidden ||
      (!isCut && stream?.readyState === EventSource.OPEN && Date.now() - lastAt < QUIET_MS)
    )
      return;
    void ask();
    if (isCut) listen();
  }, LOOK_EVERY_MS);
  if (!document.hidden) listen();
}
