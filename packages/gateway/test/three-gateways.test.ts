// Three gateways as processes of their own on one database: no work is done twice, and none is lost with its process.
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { readCursors } from '../src/db/tables/cursors.ts';
import { readLease, watchLease } from '../src/db/tables/leases.ts';
import {
  type GatewayProcess,
  type ReadyGateway,
  startGatewayProcess,
} from '@ducat/testkit/system/gateway-process';
import { openShop } from '@ducat/testkit/system/open-shop';
import { Shop, type ShopOrder } from '@ducat/testkit/system/shop';
import { startSystem, type System } from '@ducat/testkit/system/system';

const timeout = 180_000;
/** What docs/operate/high-availability.md promises, from the death of a holder to the lease of the next. */
const PROMISED_MS = 6_000;
/** Additional time, because tests share the machine, and because the chain is then read to its head. */
const MARGIN_MS = 4_000;
const POOL_SIZE = 10;
const API_FILLS_TO = 20;

interface Member extends ReadyGateway {
  readonly process: GatewayProcess;
}

let system: System;
let members: Member[];
let shop: Shop;
/** All processes that were started, also those that never reported where they listen. */
const started: GatewayProcess[] = [];

/** All tests use the same three gateways, one test after the other. Each leaves as many as the next one needs. */
beforeAll(async () => {
  system = await startSystem(inject('postgresAdminUrl'));
  await system.stop();
  members = await Promise.all([1, 2, 3].map(startMember));
}, timeout);
afterAll(async () => {
  await Promise.all(started.map((process) => process.stop()));
  await system?.close();
});

beforeEach(async () => {
  // The shop's proxy gives each request to the next gateway.
  let turn = 0;
  const apiUrl = () => living()[turn++ % living().length]?.apiUrl ?? '';
  shop = await openShop(system.database, { receiver: system.receiver, apiUrl });
  const offered = system.eth.offered + system.bsc.offered;
  const checked = (member: Member) =>
    waitUntil('every gateway to have checked the tokens', () => listsTokens(member, offered));
  await Promise.all(living().map(checked));
});

async function startMember(): Promise<Member> {
  const process = startGatewayProcess(system, { logLevel: 'debug' });
  started.push(process);
  return { process, ...(await process.ready()) };
}

const living = () => members.filter(({ process }) => process.isAlive());
const output = () => members.map(({ process }) => process.output()).join('');

describe('three gateways on one database', () => {
  // The first test, because it counts the work of all three from their start.
  it('do every piece of work once: blocks, payments, time-outs, addresses, webhooks', {
    timeout,
  }, async () => {
    const { eth, bsc } = system;
    expect(await Promise.all(members.map(readiness))).toEqual([200, 200, 200]);
    for (const chain of [eth, bsc]) {
      await waitUntil('one to watch the chain', async () => (await holdersOf(chain.name)).length === 1);
    }
    const soon = (await timeOfOrders()) + 70;
    const unpaid = await ordersOf(5, soon);
    const paid = await ordersOf(30);
    for (const [place, order] of paid.entries()) {
      await pay(order);
      if (place % 3 === 2) await eth.node.mine();
    }
    await eth.node.setNextBlockTimestamp(soon + 3_600);
    await eth.node.mine(10);
    for (const { trade_no } of paid) await shop.confirmed(trade_no, 1);
    for (const { trade_no } of unpaid) await shop.confirmed(trade_no, 1);
    await allRecorded();

    expect(await statuses(paid)).toEqual(paid.map(() => ['PAID']));
    expect(await statuses(unpaid)).toEqual(unpaid.map(() => ['TIME-OUT']));
    expect(await shop.balance(eth.ids.usdt)).toEqual({ total: '299.91', operable: '299.91' });
    // One attempt and one request for each event, and one booking of each payment, over all three.
    expect(await attempts()).toEqual({ events: 35, attempts: 35 });
    expect(system.receiver.received(`/${shop.appId}`)).toHaveLength(35);
    expect(await total('ducat_transfers_total{chain="ETH",state="seen"}')).toBe(30);
    expect(await total('ducat_transfers_total{chain="ETH",state="final"}')).toBe(30);
    expect(twiceAccepted()).toEqual([]);
    expect((await holdersOf(eth.name)).length).toBe(1);
    // Three maintenance roles and three APIs fill a half-empty pool. Together they fill it no further than one would.
    const isFilled = async () => (await freeAddresses()) >= POOL_SIZE / 2;
    await waitUntil('the pool to be half full at least', isFilled);
    expect(await freeAddresses()).toBeLessThanOrEqual(API_FILLS_TO);
    expect(await system.books.troubles()).toEqual([]);
    expect(output()).not.toContain('"level":50');
  });

  it('are handed a chain at once by one that is stopped in order', { timeout }, async () => {
    const before = await leaseOf(system.eth.name);
    const holder = await holderOf(system.eth.name);
    expect(await holder.process.stop()).toBe(0);
    // The row of the lease is written a moment before the line in the log.
    const line = await waitUntil('another to watch', () =>
      output()
        .split('\n')
        .filter((each) => each.includes('holds a lease'))
        .filter((each) => each.includes(`"lease":"${watchLease(system.eth.name)}"`))
        .find((each) => Number(/"fence":(\d+)/.exec(each)?.[1]) > before.token),
    );
    // The line names no earlier holder: the lease was free, so it was not taken from a dead holder.
    expect(line).not.toContain('"from"');
    expect(living()).toHaveLength(2);
    members.push(await startMember());
  });

  it('let no frozen holder write after another has taken over; it stands by', { timeout }, async () => {
    const { eth } = system;
    const zombie = await holderOf(eth.name);
    const [first, second, third] = await ordersOf(3);
    await pay(first);
    await eth.node.mine(2);
    const { token } = await leaseOf(eth.name);
    // The holder freezes in the middle of a block: the cursor's row is locked until then, so its flow waits.
    await system.database.transact(async (tx) => {
      await tx.read('SELECT 1 FROM chain_cursors WHERE chain = $1 FOR UPDATE', [eth.name]);
      await pay(second);
      await eth.node.mine(2);
      await waitUntil('its flow to wait', () => waitsForCursor());
      zombie.process.freeze();
    });
    try {
      await waitUntil('another to watch', async () => (await leaseOf(eth.name)).token > token);
      await caughtUp();
    } finally {
      zombie.process.thaw();
    }
    await waitUntil('its commit to be refused', () => zombie.process.output().includes('(25P03)'));
    await waitUntil('the process to notice', () =>
      zombie.process.output().includes('lost a lease to another process'),
    );
    await waitUntil('it to stand by', async () => !(await holdersOf(eth.name)).includes(zombie));
    await pay(third);
    await eth.node.mine(5);
    for (const order of [first, second, third]) await shop.confirmed(order?.trade_no ?? '', 1);
    await releaseLeases();
    await allRecorded();
    expect(await statuses([first, second, third])).toEqual([['PAID'], ['PAID'], ['PAID']]);
    expect(twiceAccepted()).toEqual([]);
    expect(await readiness(zombie)).toBe(200);
    expect((await leaseOf(eth.name)).token).toBe(token + 1);
    expect(await system.books.troubles()).toEqual([]);
  });

  // The last test, because it leaves only one of the gateways.
  it('go on within seconds when the one that watches is killed under load, and lose nothing', {
    timeout,
  }, async () => {
    const { eth } = system;
    const orders = await ordersOf(20);
    const took: number[] = [];
    for (const [place, order] of orders.entries()) {
      await pay(order);
      await eth.node.mine();
      // Twice, so that only one is left.
      if (place === 6 || place === 13) took.push(await killHolder());
    }
    await eth.node.mine(4);
    await releaseLeases();
    for (const { trade_no } of orders) {
      await shop.confirmed(trade_no, 1);
      // An attempt whose end died with its process comes again, the same event with the same bytes.
      const bodies = shop.webhooks(trade_no).map(({ eventId, raw }) => `${eventId} ${raw}`);
      expect(new Set(bodies).size).toBe(1);
    }
    await allRecorded();
    expect(await statuses(orders)).toEqual(orders.map(() => ['PAID']));
    expect(await shop.balance(eth.ids.usdt)).toEqual({ total: '199.94', operable: '199.94' });
    expect(living()).toHaveLength(1);
    expect(Math.max(...took), `take-overs of ${took.join(' and ')} ms`).toBeLessThan(PROMISED_MS + MARGIN_MS);
    expect(await system.books.troubles()).toEqual([]);
  });
});

async function ordersOf(count: number, timeOut = 0): Promise<ShopOrder[]> {
  const more = { time_out: timeOut === 0 ? (await timeOfOrders()) + 3_600 : timeOut };
  const asked = Array.from({ length: count }, () => shop.order(system.eth.ids.usdt, '10', more));
  return Promise.all(asked);
}

/** Our clock, or the chain's where a test has moved it ahead. */
async function timeOfOrders(): Promise<number> {
  return Math.max(Math.floor(Date.now() / 1000), await system.eth.headTime());
}

const pay = (order: ShopOrder | undefined) =>
  system.eth.payer().sendToken(system.eth.usdt, order?.pay_address ?? '0x', 10_000_000n);

const statuses = (orders: readonly (ShopOrder | undefined)[]) =>
  Promise.all(
    orders.map(async (order) => (await system.events(order?.trade_no ?? '')).map(({ status }) => status)),
  );

async function leaseOf(chain: string): Promise<{ readonly token: number }> {
  return (await readLease(system.database.reader, watchLease(chain))) ?? { token: 0 };
}

/** The living gateways that say they watch the chain. */
async function holdersOf(chain: string): Promise<readonly Member[]> {
  const line = `ducat_chain_lease_held{chain="${chain}"} 1`;
  const held = await Promise.all(living().map(async (member) => (await metrics(member)).includes(line)));
  return living().filter((_, place) => held[place]);
}

async function holderOf(chain: string): Promise<Member> {
  const [holder] = await waitUntil('one to watch the chain', async () => {
    const holders = await holdersOf(chain);
    return holders.length === 1 && holders;
  });
  if (holder === undefined) throw new Error('nobody watches');
  return holder;
}

/** Kills the holder of the chain. Returns the milliseconds until another gateway has read the chain to its head. */
async function killHolder(): Promise<number> {
  const { token } = await leaseOf(system.eth.name);
  const holder = await holderOf(system.eth.name);
  const startMs = Date.now();
  await holder.process.kill();
  await waitUntil('another to watch', async () => (await leaseOf(system.eth.name)).token > token);
  await caughtUp();
  return Date.now() - startMs;
}

async function waitsForCursor(): Promise<boolean> {
  const rows = await system.database.reader.read(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
       AND query LIKE '%FROM chain_cursors%FOR UPDATE'`,
    [],
  );
  return rows.length > 0;
}

async function caughtUp(): Promise<void> {
  const { hash } = await system.eth.head();
  await waitUntil('the chain to be read', async () => {
    const cursors = await readCursors(system.database.reader);
    return cursors.get(system.eth.name)?.head?.hash === hash;
  });
}

async function metrics({ operationsUrl }: Member): Promise<string> {
  const response = await fetch(`${operationsUrl}/metrics`);
  return response.text();
}

async function readiness({ operationsUrl }: Member): Promise<number> {
  return (await fetch(`${operationsUrl}/readyz`)).status;
}

/** A counter, added up over all gateways. */
async function total(series: string): Promise<number> {
  const texts = await Promise.all(living().map(metrics));
  const lines = texts.flatMap((text) => text.split('\n').filter((line) => line.startsWith(`${series} `)));
  return lines.reduce((sum, line) => sum + Number(line.slice(series.length)), 0);
}

/** Blocks that the logs say were accepted twice. Expects some accepted blocks, because without any it proves nothing. */
function twiceAccepted(): readonly string[] {
  const accepted =
    /"flow":"accept-blocks","chain":"(\w+)","block":(\d+),"hash":"\w+","blocks":(\d+),"outcome":"accepted"/g;
  const blocks = [...output().matchAll(accepted)].flatMap(([, chain, last, count]) =>
    Array.from({ length: Number(count) }, (_, place) => `${chain} ${Number(last) - place}`),
  );
  expect(blocks.length).toBeGreaterThan(4);
  return blocks.filter((block, place) => blocks.indexOf(block) !== place);
}

async function listsTokens({ apiUrl }: Member, offered: number): Promise<boolean> {
  const { appId, appKey } = shop;
  const one = new Shop({ appId, appKey, apiUrl: () => apiUrl, receiver: system.receiver });
  return (await one.call('token-list', {})).length === offered;
}

async function attempts(): Promise<unknown> {
  const [row] = await system.database.reader.read(
    `SELECT count(DISTINCT event_id) AS events, count(*) AS attempts
     FROM delivery_attempts JOIN events USING (event_id) WHERE app_id = $1 AND outcome = 'delivered'`,
    [shop.appId],
  );
  return row;
}

async function freeAddresses(): Promise<number> {
  const [row] = await system.database.reader.read<{ free: number }>(
    'SELECT count(*) AS free FROM addresses WHERE app_id = $1 AND family = $2 AND trade_no IS NULL',
    [shop.appId, 'evm'],
  );
  return row?.free ?? 0;
}

/** Waits until every event of the shop is delivered and recorded. */
async function allRecorded(): Promise<void> {
  await waitUntil('every delivery to be recorded', async () => {
    const rows = await system.database.reader.read(
      `SELECT FROM events WHERE app_id = $1 AND state = 'pending'`,
      [shop.appId],
    );
    return rows.length === 0;
  });
}

/** Webhooks that a killed or frozen process had claimed would be due after half a minute. This makes them due at once. */
function releaseLeases(): Promise<unknown> {
  const release = `UPDATE events SET leased_until_ms = NULL, next_attempt_at_ms = 0 WHERE state = 'pending' AND leased_until_ms > 0`;
  return system.database.transact((tx) => tx.write(release, []));
}
