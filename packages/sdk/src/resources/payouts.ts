// Payouts: create and read.
import { randomUUID } from 'node:crypto';
import type { EndpointTypes } from '../generated/endpoints.ts';
import { idempotencyHeader } from '../generated/idempotency-key.ts';
import type { Call } from '../transport.ts';

type Types = EndpointTypes;

/** Options of `create`. */
export interface PayoutOptions {
  /**
   * 1 to 128 visible ASCII characters, such as your own number of the payout. All calls with one key make one payout,
   * however often and wherever they are made. Without a key, each call of `create` makes a payout of its own.
   */
  readonly idempotencyKey?: string | undefined;
}

/** The payout operations of an app. */
export class Payouts {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Pays out to an address. Safe to repeat with the same idempotencyKey and the same content. */
  create(
    request: Types['create-payout']['request'],
    { idempotencyKey = randomUUID() }: PayoutOptions = {},
  ): Promise<Types['create-payout']['data']> {
    const fits = (payout: Types['create-payout']['data']) => typeof payout.trade_no === 'string';
    return this.#call('create-payout', request, fits, { [idempotencyHeader]: idempotencyKey });
  }

  /** Reads one payout; a string is taken as its trade_no. */
  detail(request: Types['payout-detail']['request'] | string): Promise<Types['payout-detail']['data']> {
    const tradeNo = typeof request === 'string' ? request : request.trade_no;
    return this.#call('payout-detail', { trade_no: tradeNo }, (payout) => payout.trade_no === tradeNo);
  }
}
