// temp
import { expect, inject, it } from 'vitest';
import { startSystem } from '../testing/system/system.ts';
it('x', async () => {
  const system = await startSystem(inject('postgresAdminUrl'));
  const shop = await system.newShop();
  const order = await shop.order(1001, '1');
  await system.eth.node.setBalance(order.pay_address, 77n);
  await system.mine(system.eth, 6);
  console.log('TROUBLES', await system.books.troubles());
  await system.eth.payer().sendToken(system.eth.usdt, order.pay_address, 1_000_000n);
  await system.mine(system.eth);
  await system.makeFinal(system.eth);
  await shop.confirmed(order.trade_no, 1);
  console.log('HEADERS', system.receiver.received(`/${shop.appId}`)[0]!.headers);
  await system.close();
});
