// The gateway process is killed without warning, again and again, while it catches up: everything is paid once.
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { startGatewayProcess } from '@ducat/testkit/system/gateway-process';
import { startSystem, type System } from '@ducat/testkit/system/system';

let system: System;
beforeAll(async () => {
  system = await startSystem(inject('postgresAdminUrl'));
});
afterAll(() => system?.close());

it('pays every order once and sends each merchant one event, however often the gateway is killed', async () => {
  const { eth } = system;
  const shop = await system.newShop();
  const orders = [];
  for (let place = 0; place < 20; place++) orders.push(await shop.order(eth.ids.usdt, '10'));
  const start = (await eth.head()).number;
  await system.stop();
  for (const order of orders) {
    await eth.payer().sendToken(eth.usdt, order.pay_address, 10_000_000n);
    await eth.node.mine(3);
  }

  await killOnce('the first blocks are read', async () => (await progress()).head > start);
  await killOnce('the first payments are booked', async () => (await progress()).events > 0);
  const webhooks = () => system.receiver.received(`/${shop.appId}`).length;
  await killOnce('the first webhooks have come', () => webhooks() > 0);
  await eth.node.mine(3);
  await releaseLeases();
  await system.start();

  for (const { trade_no } of orders) {
    await shop.confirmed(trade_no, 1);
    expect((await system.events(trade_no)).map(({ status }) => status)).toEqual(['PAID']);
    // An attempt whose end was lost comes again: the same event with the same bytes, so the merchant can recognise it.
    const bodies = shop.webhooks(trade_no).map(({ eventId, raw }) => `${eventId} ${raw}`);
    expect(new Set(bodies).size).toBe(1);
  }
  expect(await shop.balance(eth.ids.usdt)).toEqual({ total: '199.94', operable: '199.94' });
  await waitUntil('all to be recorded', async () => (await progress()).pending === 0);
  expect(await system.books.troubles()).toEqual([]);
  expect(system.errors).toEqual([]);
});

/** Starts the process, and kills it as soon as something has happened. */
async function killOnce(what: string, hasHappened: () => Promise<boolean> | boolean): Promise<void> {
  const gateway = startGatewayProcess(system);
  try {
    await waitUntil(what, hasHappened, { everyMs: 1 });
  } finally {
    await gateway.kill();
  }
  expect(gateway.complaint()).toBe('');
}

interface Progress {
  readonly head: number;
  readonly events: number;
  readonly pending: number;
}

async function progress(): Promise<Progress> {
  const [row] = await system.database.reader.read<Progress>(
    `SELECT (SELECT head_number FROM chain_cursors WHERE chain = 'ETH') AS head, count(*) AS events,
       count(*) FILTER (WHERE state = 'pending') AS pending FROM events`,
    [],
  );
  return row ?? { head: 0, events: 0, pending: 0 };
}

/** Webhooks that a killed process had claimed would be due again after half a minute. This makes them due at once. */
function releaseLeases(): Promise<unknown> {
  const release =
    'UPDATE events SET leased_until_ms = NULL, next_attempt_at_ms = 0 WHERE leased_until_ms > 0';
  return system.database.transact((tx) => tx.write(release, []));
}
