// Currencies: the whole list, and the list of the app with balances.
import type { EndpointTypes } from '../generated/endpoints.ts';
import type { Call } from '../transport.ts';

/** The currency operations. */
export class Currencies {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Lists every token the gateway supports. */
  list(): Promise<EndpointTypes['token-list']['data']> {
    return this.#call('token-list', {}, Array.isArray);
  }

  /** Lists the receiving tokens that the app has enabled, with balances. */
  listForApp(): Promise<EndpointTypes['app-token-list']['data']> {
    return this.#call('app-token-list', {}, Array.isArray);
  }
}
