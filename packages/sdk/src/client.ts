// The client: the entry of the SDK for calling the gateway.
import { Account } from './resources/account.ts';
import { Currencies } from './resources/currencies.ts';
import { Orders } from './resources/orders.ts';
import { Payouts } from './resources/payouts.ts';
import { QrCodes } from './resources/qr-codes.ts';
import { createTransport } from './transport.ts';
import { realWorld, type World } from './world.ts';

// The package's entry shows the errors and types beside the client, so that merchants import from one place.
export * from './errors.ts';
export type * from './generated/endpoints.ts';
export type * from './generated/types.ts';
export type { World } from './world.ts';

/** How to reach a gateway, and as which app. */
export interface DucatOptions {
  /** The address of the API without /api, for example https://pay.example. */
  readonly baseUrl: string;
  readonly appId: string;
  /** The secret of the app. It belongs on a server, never in a browser or an app that others install. */
  readonly appKey: string;
  /** Longest wait for one answer, in milliseconds; 10,000 unless given. */
  readonly timeoutMs?: number;
  /** How often a call is repeated after the network failed; 2 unless given, at most 10. */
  readonly maxRetries?: number;
  /** Another fetch, for a proxy or a test. */
  readonly fetch?: typeof globalThis.fetch;
  /** Clock, chance and waiting, for tests. */
  readonly world?: World;
}

/** A client of one app of one gateway. Requests are signed, answers verified before they are read. */
export class Ducat {
  readonly orders: Orders;
  readonly currencies: Currencies;
  readonly account: Account;
  readonly payouts: Payouts;
  readonly qrCodes: QrCodes;

  constructor(options: DucatOptions) {
    // Programs without types may leave the options out. This error is clearer than one about a property of undefined.
    if (typeof options !== 'object' || options === null)
      throw new TypeError('new Ducat() takes { baseUrl, appId, appKey }');
    const call = createTransport({
      baseUrl: checkedBaseUrl(options.baseUrl),
      appId: checkedText('appId', options.appId),
      appKey: checkedText('appKey', options.appKey),
      timeoutMs: checkedInteger('timeoutMs', options.timeoutMs ?? 10_000, 1, 600_000),
      maxRetries: checkedInteger('maxRetries', options.maxRetries ?? 2, 0, 10),
      fetch: options.fetch ?? globalThis.fetch,
      world: options.world ?? realWorld,
    });
    this.orders = new Orders(call);
    this.currencies = new Currencies(call);
    this.account = new Account(call);
    this.payouts = new Payouts(call);
    this.qrCodes = new QrCodes(call);
  }
}

/** The address without a slash at its end; http is allowed because a demo runs on the same machine. */
function checkedBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash) {
    throw new TypeError('baseUrl must be an http(s) address without user info, query or fragment');
  }
  return url.href.replace(/\/+$/, '');
}

function checkedText(name: string, value: string): string {
  if (typeof value !== 'string' || value === '')
    throw new TypeError(`${name} must be a string that is not empty`);
  return value;
}

function checkedInteger(name: string, value: number, least: number, most: number): number {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new TypeError(`${name} must be an integer from ${least} to ${most}`);
  }
  return value;
}
