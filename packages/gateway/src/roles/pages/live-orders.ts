// Sends changes to open pages, never an older view after a newer one: one poll of the database for all pages, and no timer
// or query of a single one.
import type { ServerResponse } from 'node:http';
import type { CheckoutState } from '@ducat/contract/checkout-view';
import { readCheckoutOrders } from '../../db/tables/orders/checkout-orders.ts';
import { type ChainCursor, readCursors } from '../../db/tables/cursors.ts';
import { createStreamPlaces } from '../../http/stream-places.ts';
import { Outage } from '../../runtime/outage.ts';
import { unixTime } from '../../runtime/world.ts';
import type { PagesDeps } from './port.ts';
import { presentCheckout } from './present-checkout.ts';

export interface LiveOrders {
  /** Sends this state, and each later one until the connection ends or is cut for a newer one. */
  open(stream: ServerResponse, state: CheckoutState, ip: string): void;
  /** Reads one order at once, because this process just changed it. */
  look(tradeNo: string): Promise<void>;
  /** Polls until the signal is aborted, then ends all streams. */
  run(signal: AbortSignal): Promise<void>;
}

const POLL_MS = 1_000;
/**
 * After this many polls every order is read although its chain has not moved: another process may have taken a choice, or a
 * deadline may have passed.
 */
const FULL_POLL_TICKS = 10;
/** After this many polls a heartbeat is sent, so that proxies do not take a quiet stream for a dead one. */
const HEARTBEAT_TICKS = 20;
/** The most orders that one query reads. */
const MAX_AT_ONCE = 2_000;
/** A reader that is this far behind is cut; the page opens a new stream. */
const MAX_BEHIND_BYTES = 65_536;

interface Watched {
  readonly streams: Set<ServerResponse>;
  /** The chain of the order's currency, which the payer may change. */
  chain: string;
  /** The view as it was sent last. */
  sent: string;
  /**
   * The address that an earlier read has derived; "" before. It is kept because deriving it takes most of the time of a
   * read.
   */
  proven: string;
  /** The number of the newest read when a stream was opened last. What that read and earlier ones say may be older. */
  opened: number;
  /** The number of the read that was applied last. */
  read: number;
}

export function createLiveOrders(deps: PagesDeps): LiveOrders {
  const watched = new Map<string, Watched>();
  const reads = createReads(deps, watched);
  const poll = createPoll(deps, watched, reads);
  const places = createStreamPlaces(deps.limits);
  return {
    open: (stream, { now, view }, ip) => {
      // The browser left while the state was read. The stream has emitted 'close' already and does not emit it again.
      if (stream.destroyed) return;
      const { trade_no: tradeNo } = view;
      places.take(stream, { subject: tradeNo, ip });
      const text = JSON.stringify(view);
      const order = watched.get(tradeNo) ?? {
        streams: new Set(),
        chain: view.currency.chain,
        sent: text,
        proven: '',
        opened: 0,
        read: 0,
      };
      watched.set(tradeNo, order);
      // This state was read out of turn. It may be older or newer than the one of other streams and than what is read at this
      // moment. The next poll therefore reads the order once more, and sends to all.
      order.opened = reads.newest();
      if (order.sent !== text) order.sent = '';
      order.streams.add(stream);
      stream.once('close', () => {
        order.streams.delete(stream);
        if (order.streams.size === 0) watched.delete(tradeNo);
      });
      stream.write(eventOf(now, text));
    },
    look: (tradeNo) => reads.refresh(watched.has(tradeNo) ? [tradeNo] : []),
    run: async (signal) => {
      for (let tick = 1; !signal.aborted; tick++) {
        await deps.world.sleep(POLL_MS, signal);
        if (signal.aborted || watched.size === 0) continue;
        await poll(tick);
        if (tick % HEARTBEAT_TICKS === 0)
          for (const { streams } of watched.values()) sendAll(streams, HEARTBEAT);
      }
      for (const { streams } of watched.values()) for (const stream of streams) stream.end();
    },
  };
}

type WatchedOrders = ReadonlyMap<string, Watched>;

/** One poll: reads the cursors of the chains, then the orders whose chain has moved or that were opened. */
function createPoll(deps: PagesDeps, watched: WatchedOrders, reads: Reads): (tick: number) => Promise<void> {
  let marks: ReadonlyMap<string, string> = new Map();
  return async (tick) => {
    const before = marks;
    try {
      const cursors = await readCursors(deps.reader);
      const now = new Map([...cursors].map(([name, cursor]) => [name, markOf(cursor)]));
      const isFull = tick % FULL_POLL_TICKS === 0;
      const isDue = ({ chain, read, opened }: Watched) =>
        isFull || read <= opened || now.get(chain) !== before.get(chain);
      const due = [...watched].filter(([, order]) => isDue(order)).map(([tradeNo]) => tradeNo);
      await reads.refresh(due);
      marks = now;
    } catch (error) {
      // The pages keep what they have. The next poll covers what this one missed.
      if (!(error instanceof Outage)) throw error;
    }
  };
}

interface Reads {
  /** The number of the read that began last. */
  newest(): number;
  /** Reads these orders, and sends what has changed. */
  refresh(tradeNos: readonly string[]): Promise<void>;
}

/** Reads one after the other. Of two reads at the same time nobody can say which one is newer. */
function createReads(deps: PagesDeps, watched: WatchedOrders): Reads {
  let newest = 0;
  let last: Promise<void> = Promise.resolve();
  const inTurn = (tradeNos: readonly string[]) => {
    const turn = last.then(() => readAndSend(tradeNos, ++newest, deps, watched));
    // The error is for whoever asked. The next read begins all the same.
    last = turn.catch(() => undefined);
    return turn;
  };
  return {
    newest: () => newest,
    refresh: async (tradeNos) => {
      for (let from = 0; from < tradeNos.length; from += MAX_AT_ONCE)
        await inTurn(tradeNos.slice(from, from + MAX_AT_ONCE));
    },
  };
}

async function readAndSend(
  tradeNos: readonly string[],
  read: number,
  deps: PagesDeps,
  watched: WatchedOrders,
): Promise<void> {
  const orders = await readCheckoutOrders(deps.reader, tradeNos);
  const now = unixTime(deps.world);
  for (const [tradeNo, order] of orders) {
    const live = watched.get(tradeNo);
    // A stream that was opened meanwhile may have a newer state. The order stays due.
    if (live === undefined || read <= live.opened) continue;
    live.read = read;
    const view = presentCheckout(order, now, deps, live.proven);
    live.proven = order.address;
    const text = JSON.stringify(view);
    if (text === live.sent) continue;
    live.chain = view.currency.chain;
    live.sent = text;
    sendAll(live.streams, eventOf(now, text));
  }
}

const HEARTBEAT = Buffer.from(':\n\n');

/** Bytes that are made once for all streams of an order. */
function eventOf(now: number, view: string): Buffer {
  return Buffer.from(`data: {"now":${now},"view":${view}}\n\n`);
}

function sendAll(streams: ReadonlySet<ServerResponse>, bytes: Buffer): void {
  for (const stream of streams) {
    if (stream.writableEnded) continue;
    if (stream.writableLength > MAX_BEHIND_BYTES) stream.destroy();
    else stream.write(bytes);
  }
}

/** A text that changes whenever the chain's cursor can change what a page shows of a payment. */
function markOf({ head, finalNumber, searchedNumber }: ChainCursor): string {
  return `${head?.hash} ${finalNumber} ${searchedNumber}`;
}
