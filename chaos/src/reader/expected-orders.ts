// The expected end of each order, computed from the chain alone.
import type { OrderRow } from './books.ts';
import type { ChainTransfer, FinalChain } from './chain-transfers.ts';

/** One event that a merchant must have received about an order. */
export interface ExpectedEvent {
  readonly status: string;
  readonly collected: bigint;
  /** The transfer that caused the event; for a time-out the newest that counted, empty where there was none. */
  readonly txId: string;
  /** Unix seconds of that transfer's block; for a time-out the expiry. */
  readonly time: number;
}

export interface ExpectedOrder {
  readonly status: string;
  readonly collected: bigint;
  readonly events: readonly ExpectedEvent[];
}

/** `transfers` are all transfers to the order's address, in the order of the chain. */
export function expectOrder(
  order: Pick<OrderRow, 'currency_id' | 'due' | 'time_expire'>,
  transfers: readonly ChainTransfer[],
  { finalTime }: Pick<FinalChain, 'finalTime'>,
): ExpectedOrder {
  const [due, expiry] = [BigInt(order.due), Number(order.time_expire)];
  const events: ExpectedEvent[] = [];
  let status = 'TO-BE-PAID';
  let collected = 0n;
  let txId = '';
  const timeOut = () => {
    status = 'TIME-OUT';
    events.push({ status, collected, txId, time: expiry });
  };
  for (const { currencyId, units, hash, time } of transfers) {
    if (currencyId !== order.currency_id) continue;
    if (status === 'TO-BE-PAID' && time > expiry) timeOut();
    collected += units;
    txId = hash;
    if (status !== 'TO-BE-PAID') continue;
    if (collected >= due) status = 'PAID';
    events.push({ status, collected, txId, time });
  }
  if (status === 'TO-BE-PAID' && finalTime > expiry) timeOut();
  return { status, collected, events };
}
