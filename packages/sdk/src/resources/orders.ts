// Orders: create, with or without the hosted page, read, and quote.
import type { EndpointTypes } from '../generated/endpoints.ts';
import type { Call } from '../transport.ts';

type Types = EndpointTypes;

/** The order operations of an app. */
export class Orders {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Creates an order. Safe to repeat: the same out_trade_no with the same content gives the same order. */
  create(request: Types['create-order']['request']): Promise<Types['create-order']['data']> {
    return this.#call('create-order', request, (order) => typeof order.trade_no === 'string');
  }

  /**
   * Creates an order that is paid on the hosted page: send the payer to its `entrust_url`. Safe to repeat: the same
   * out_trade_no with the same content gives the same order.
   */
  preCreate(request: Types['pre-create']['request']): Promise<Types['pre-create']['data']> {
    return this.#call('pre-create', request, (order) => typeof order.trade_no === 'string');
  }

  /** Reads one order; a string is taken as its trade_no. */
  detail(request: Types['order-detail']['request'] | string): Promise<Types['order-detail']['data']> {
    const tradeNo = typeof request === 'string' ? request : request.trade_no;
    return this.#call('order-detail', { trade_no: tradeNo }, (order) => order.trade_no === tradeNo);
  }

  /** Quotes a fiat amount in a currency; nothing is reserved. */
  exchangeRates(request: Types['exchange-rates']['request']): Promise<Types['exchange-rates']['data']> {
    return this.#call('exchange-rates', request, (quote) => typeof quote.exchange_rate === 'string');
  }
}
