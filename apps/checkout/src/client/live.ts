// Keeps the state of an order fresh: a stream while the page is shown, asking again where no stream gets through.
import type { CheckoutState } from '@ducat/contract/checkout-view';
import { askState } from './ask-gateway.ts';

export interface LiveReport {
  state(state: CheckoutState): void;
  offline(isOffline: boolean): void;
}

export interface Following {
  /** Asks how the order stands now. */
  ask(): Promise<void>;
  /**
   * Has to be called before a request whose answer is a state. What it gives reports that state, or returns false where the
   * stream or a later request said something meanwhile, which may be newer.
   */
  begin(): (state: CheckoutState) => boolean;
}

/** A stream that is silent for this long is probably buffered by a proxy, so the page polls instead. */
const QUIET_MS = 45_000;
const LOOK_EVERY_MS = 5_000;

/**
 * `address` is that of the order, such as /pay/ord_…. A hidden page holds no connection; when it is shown again, it asks at
 * once.
 */
export function followOrder(address: string, report: LiveReport): Following {
  let stream: EventSource | null = null;
  let lastAt = Date.now();
  let isOffline = false;

  const setOffline = (is: boolean) => {
    isOffline = is;
    report.offline(is);
  };
  const turns = createTurns((state) => {
    lastAt = Date.now();
    report.state(state);
  });
  const ask = () => {
    const take = turns.begin();
    return askState(address).then(
      (state) => {
        setOffline(false);
        take(state);
      },
      () => setOffline(true),
    );
  };
  const listen = () => {
    stream?.close();
    stream = new EventSource(`${address}/events`);
    // The messages are our own server's, of the shape that the contract describes.
    stream.onmessage = ({ data }) => {
      const state: CheckoutState = JSON.parse(String(data));
      turns.message(state);
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
  return { ask, begin: () => turns.begin() };
}

interface Turns extends Pick<Following, 'begin'> {
  /** A message of the stream is received at once, and no answer to a request that has begun is received any more. */
  message(state: CheckoutState): void;
}

/** Numbers the requests, because their answers may come in another order. */
function createTurns(receive: (state: CheckoutState) => void): Turns {
  let begun = 0;
  let received = 0;
  return {
    begin: () => {
      const number = ++begun;
      return (state) => {
        if (number <= received) return false;
        received = number;
        receive(state);
        return true;
      };
    },
    message: (state) => {
      received = begun;
      receive(state);
    },
  };
}
