// Payers with open payment pages: one event stream each. Records what each page shows, and since when.
import { connect } from 'node:net';
import { serveParent } from '../worker.ts';

export interface Shown {
  readonly state: string;
  readonly confirmations: number | null;
  readonly atMs: number;
}

/** The current state of each page, by the trade_no of its order. */
const pages = new Map<string, Shown>();
/** When a page showed "paid" for the first time. */
const paidAtMs = new Map<string, number>();
/** Pages that are opened at once. A server would refuse more connections than its backlog holds. */
const AT_ONCE = 100;

const handlers = {
  /** Opens the pages and waits until each has got its first state. */
  async open({ url, tradeNos }: { url: string; tradeNos: readonly string[] }): Promise<void> {
    for (let from = 0; from < tradeNos.length; from += AT_ONCE)
      await Promise.all(tradeNos.slice(from, from + AT_ONCE).map((tradeNo) => open(url, tradeNo)));
  },
  shown(_nothing: null): readonly Shown[] {
    return [...pages.values()];
  },
  paid(_nothing: null): ReadonlyMap<string, number> {
    return paidAtMs;
  },
};

export type Payers = typeof handlers;

function open(url: string, tradeNo: string): Promise<void> {
  const { port, pathname } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.setEncoding('utf8');
    let text = '';
    socket.on('data', (part: string) => {
      text += part;
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const found = /data: (.*)/.exec(text.slice(0, end));
        text = text.slice(end + 2);
        if (found?.[1] === undefined) continue;
        note(tradeNo, found[1]);
        resolve();
      }
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error(`the stream of ${tradeNo} ended`)));
    // Rate limits count by network address, so each page has the address of a payer of its own, as a proxy reports it.
    const place = pages.size;
    pages.set(tradeNo, { state: '', confirmations: null, atMs: 0 });
    const address = `10.${place >> 16}.${(place >> 8) & 255}.${place & 255}`;
    socket.write(
      `GET ${pathname}/pay/${tradeNo}/events HTTP/1.1\r\nhost: pages\r\nx-forwarded-for: ${address}\r\n\r\n`.replace(
        '//',
        '/',
      ),
    );
  });
}

function note(tradeNo: string, data: string): void {
  const { view }: { readonly view: Omit<Shown, 'atMs'> } = JSON.parse(data);
  const atMs = Date.now();
  pages.set(tradeNo, { state: view.state, confirmations: view.confirmations, atMs });
  if (view.state === 'paid' && !paidAtMs.has(tradeNo)) paidAtMs.set(tradeNo, atMs);
}

serveParent(handlers);
