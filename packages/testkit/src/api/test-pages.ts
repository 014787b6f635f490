// The payment pages over the database of a test API, listening on a port of their own.
import type { AddressInfo } from 'node:net';
import { pageRenderer } from '@ducat/checkout/server/page-renderer';
import { amountOf } from '@ducat/core/money/amount';
import { logoSvg } from '@ducat/gateway/roles/api/logos/logo-svg';
import { createPoolFiller } from '@ducat/gateway/roles/api/orders/pool-filler';
import { createPages } from '@ducat/gateway/roles/pages/pages-app';
import { defaultPagesLimits, type PagesDeps } from '@ducat/gateway/roles/pages/port';
import type { TestApi } from './test-api.ts';

export interface TestPages {
  /** The URL of a payment page, up to the trade_no. */
  readonly url: string;
  /** Makes an order of 23.40 EUR whose payer chooses the currency, and gives its trade_no. */
  preCreate(more?: object): Promise<string>;
  close(): Promise<void>;
}

let orders = 0;

export async function startTestPages(api: TestApi, change: Partial<PagesDeps> = {}): Promise<TestPages> {
  const { catalogue } = api.deps;
  const { app, live } = createPages({
    ...api.deps,
    renderer: pageRenderer,
    // The test's clock stands still, so a bucket would never fill again.
    limits: { ...defaultPagesLimits, perAddress: { perSecond: 1, burst: 100_000 } },
    checkoutUrl: 'https://pay.test/pay',
    demo: false,
    faucetUrl: null,
    // A thousandth of the native currency.
    estimateFee: ({ chain }) => {
      const [native] = chain.currencies;
      return Promise.resolve(native === undefined ? null : amountOf(native.currencyId, 10n ** 15n));
    },
    fillPool: createPoolFiller(api.deps),
    logo: (currencyId) => {
      const listing = catalogue.find(currencyId);
      return listing === null ? null : logoSvg(listing.currency.symbol, listing.chain.name);
    },
    ...change,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const stopping = new AbortController();
  const ended = live.run(stopping.signal);
  // Listening on TCP gives an address with a port.
  const { port } = app.server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/pay`,
    preCreate: async (more = {}) => {
      const order = { out_trade_no: `page-${++orders}`, fiat_name: 'EUR', fiat_amount: '23.40', ...more };
      const made = await api.call('/api/entrust/pre-create', order);
      if (made.code !== 0) throw new Error(made.raw);
      return String(made.data['trade_no']);
    },
    close: async () => {
      stopping.abort();
      await ended;
      await app.close();
    },
  };
}
