// Every currency that is on can be ordered and paid, on all four chains, exact to the last digit.
import { chainDefinitions } from '@ducat/core/chain/definitions/index';
import type { Currency } from '@ducat/core/chain/currency';
import { formatDecimal } from '@ducat/core/money/decimal';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type CatalogueChain, startCatalogueChains } from '@ducat/testkit/system/catalogue-chains';
import type { Shop, ShopOrder } from '@ducat/testkit/system/shop';
import { startSystemOn, type SystemOn } from '@ducat/testkit/system/system';

let chains: readonly CatalogueChain[];
let system: SystemOn<CatalogueChain>;
let shop: Shop;

beforeAll(async () => {
  chains = await startCatalogueChains();
  system = await startSystemOn(inject('postgresAdminUrl'), chains);
  // Without a fee, what is booked for the shop is what was paid.
  shop = await system.newShop({ depositFeePpm: 0 });
}, 120_000);
afterAll(() => system?.close(), 60_000);

/** Twelve whole tokens and a fraction that is different for every currency and uses all its decimals. */
function oddUnits({ currencyId, decimals }: Currency): bigint {
  return 12n * 10n ** BigInt(decimals) + BigInt(currencyId);
}

interface Bought {
  readonly chain: CatalogueChain;
  readonly currency: Currency;
  readonly units: bigint;
  readonly amount: string;
  readonly order: ShopOrder;
}

async function orderAll(): Promise<readonly Bought[]> {
  const wanted = chains.flatMap((chain) => chain.currencies.map((currency) => ({ chain, currency })));
  const bought: Bought[] = [];
  for (const { chain, currency } of wanted) {
    const units = oddUnits(currency);
    const amount = formatDecimal(units, currency.decimals);
    bought.push({ chain, currency, units, amount, order: await shop.order(currency.currencyId, amount) });
  }
  return bought;
}

describe('the catalogue', () => {
  it('is listed, the coin of each chain first', async () => {
    const listed = await shop.call('token-list', {});
    const names = chainDefinitions.map(({ name }) => name);
    expect([...new Set(listed.map(({ chain }) => chain))]).toEqual(names);
    for (const name of names) {
      const ids = listed.filter(({ chain }) => chain === name).map(({ currency_id }) => currency_id);
      expect(ids[0]).toBe(chainDefinitions.find((chain) => chain.name === name)?.currencies[0]?.currencyId);
      expect(ids).toEqual([...ids].sort((a, b) => a - b));
    }
    const taken = await shop.call('app-token-list', {});
    expect(taken.map(({ currency_id }) => currency_id)).toEqual(listed.map(({ currency_id }) => currency_id));
  });

  it('is paid for, each currency by an order of its own', async () => {
    const bought = await orderAll();
    expect(bought.length).toBeGreaterThanOrEqual(90);
    for (const { order, amount, currency } of bought)
      expect(order).toMatchObject({ amount, token: currency.symbol, decimal: currency.decimals });
    for (const { chain, currency, order, units } of bought)
      await chain.pay(currency, order.pay_address, units);
    for (const chain of chains) {
      await system.mine(chain);
      await system.makeFinal(chain);
    }
    for (const { order, amount, currency } of bought) {
      const webhooks = await shop.confirmed(order.trade_no, 1);
      expect(webhooks.map(({ body }) => body)).toMatchObject([
        { status: 'PAID', token_amount: amount, amount_collected: amount, currency_id: currency.currencyId },
      ]);
      const detail = await shop.call('order-detail', { trade_no: order.trade_no });
      expect(detail).toMatchObject({ status: 'PAID', amount, amount_collected: amount });
    }
    const postings = await system.books.postings(shop.appId);
    const booked = postings.map(({ currencyId, units }) => [currencyId, BigInt(units)] as const);
    expect(new Map(booked)).toEqual(
      new Map(bought.map(({ currency, units }) => [currency.currencyId, units] as const)),
    );
    expect(booked).toHaveLength(bought.length);
    expect(await system.books.troubles()).toEqual([]);
    expect(system.errors).toEqual([]);
  }, 120_000);
});
