// The account: the balance in one currency.
import type { EndpointTypes } from '../generated/endpoints.ts';
import type { Call } from '../transport.ts';

type Types = EndpointTypes['account-balance'];

/** The account operations of an app. */
export class Account {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Reads the balance in one currency; a number is taken as its currency_id. */
  balance(request: Types['request'] | number): Promise<Types['data']> {
    const currencyId = typeof request === 'number' ? request : request.currency_id;
    return this.#call(
      'account-balance',
      { currency_id: currencyId },
      (balance) => balance.currency_id === currencyId,
    );
  }
}
