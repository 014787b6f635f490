// A token that the operator wrote down with other decimals than its contract has: it is off, and the log says why.
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
