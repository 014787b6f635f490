// Tokens that are not what they should be: other decimals than the operator wrote down, more units than there can be.
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { startSystem, type System } from '@ducat/testkit/system/system';

let system: System;
beforeAll(async () => {
  system = await startSystem(inject('postgresAdminUrl'), {
    eth: {
      tokens: [
        { contract: 'testToken', decimals: 18, statedDecimals: 6 },
        { contract: 'testToken', decimals: 18 },
      ],
    },
  });
});
afterAll(() => system?.close());

it('refuses orders in it with 20003, offers its twin that is right, and says what is wrong in the log', async () => {
  const [wrong, right] = system.eth.further;
  const shop = await system.newShop();
  const order = { out_trade_no: 'wrong-decimals', currency_id: wrong!.currencyId, token_amount: '1' };
  expect(await shop.refusalOf('create-order', order)).toMatchObject({
    code: 20003,
    msg: expect.stringContaining('currency_id'),
  });
  const offered = (await shop.call('token-list', {})).map(({ currency_id }) => currency_id);
  expect(offered).toContain(right!.currencyId);
  expect(offered).not.toContain(wrong!.currencyId);
  expect(await shop.order(right!.currencyId, '1')).toMatchObject({ decimal: 18 });
  expect(system.errors).toEqual([expect.stringContaining('currency is off: it is not what the chain says')]);
  expect(system.errors[0]).toContain(`"currencyId":${wrong!.currencyId}`);
  expect(system.errors[0]).toMatch(/18 decimals|decimals.*18/);
});

it('credits nothing of a mint of 2^256 − 1, says so in the log, and suspends the token', async () => {
  const { eth } = system;
  const [, right] = eth.further;
  const shop = await system.newShop();
  const order = await shop.order(right!.currencyId, '1');
  // The most that can be minted: the payer has its stock already, and a token's total ends at 2^256 - 1.
  const units = 2n ** 256n - 1n - 10n ** 30n;
  await eth.payer().mintToken(right!.address, order.pay_address, units);
  await system.mine(eth);
  await system.makeFinal(eth);
  expect(await shop.detail(order.trade_no)).toMatchObject({ status: 'TO-BE-PAID', amount_collected: '0' });
  expect(await system.events(order.trade_no)).toEqual([]);
  expect(await shop.balance(right!.currencyId)).toMatchObject({ operable: '0' });
  expect(await system.books.transfers(shop.appId)).toMatchObject([
    { units: String(units), disposition: 'unassigned' },
  ]);
  const said = system.errors.filter((line) => line.startsWith('a transfer is too large'));
  expect(said).toEqual([expect.stringContaining(`"currencyId":${right!.currencyId}`)]);
  const suspended = await system.database.reader.read('SELECT currency_id FROM currency_suspensions', []);
  expect(suspended).toEqual([{ currency_id: right!.currencyId }]);
});
