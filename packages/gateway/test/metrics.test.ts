// What an operator sees: one scrape after a payment, a reorganisation, a webhook that failed and a node that went away.
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { startSystem, type System } from '@ducat/testkit/system/system';

let system: System;
beforeAll(async () => {
  system = await startSystem(inject('postgresAdminUrl'));
});
afterAll(() => system?.close());

/** A scrape, by name and labels in the order in which they are printed. */
async function scrape(): Promise<ReadonlyMap<string, number>> {
  const response = await fetch(`${system.operationsUrl()}/metrics`);
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('text/plain'),
  ]);
  const samples = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    samples.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))] as const;
    }),
  );
}

/** The sum of all samples of a name that carry these labels. */
function sumOf(samples: ReadonlyMap<string, number>, name: string, ...labels: readonly string[]): number {
  const wanted = [...samples].filter(
    ([key]) => key.startsWith(`${name}{`) && labels.every((label) => key.includes(label)),
  );
  if (wanted.length === 0) return Number.NaN;
  return wanted.reduce((sum, [, value]) => sum + value, 0);
}

type Samples = ReadonlyMap<string, number>;

/** A payment whose first webhook fails, a refused order, an open one, and a fork; then one scrape. */
async function happenings(): Promise<Samples> {
  const { eth, bsc } = system;
  const shop = await system.newShop();
  const order = await shop.order(eth.ids.usdt, '10');
  const open = await shop.order(bsc.ids.coin, '1');
  await shop.refusalOf('create-order', { out_trade_no: 'x', currency_id: 999_999, token_amount: '1' });
  shop.failNext(500);
  await eth.payer().sendToken(eth.usdt, order.pay_address, 10_000_000n);
  await system.mine(eth);
  await system.makeFinal(eth);
  await waitUntil('the first attempt to fail', () => shop.webhooks(order.trade_no).length === 1);
  const hurried = async () => (await system.hurryWebhooks(order.trade_no)).length > 0;
  await waitUntil('the failure to be recorded', hurried);
  await shop.confirmed(order.trade_no, 1);
  await eth.payer().sendToken(eth.usdt, open.pay_address, 5n);
  await system.mine(eth, 2);
  await eth.reorg(2);
  await system.caughtUp(eth);
  return waitUntil('the last attempt to be counted', async () => {
    const samples = await scrape();
    return sumOf(samples, 'ducat_webhook_attempts_total', 'outcome="delivered"') === 1 && samples;
  });
}

function expectChains(now: Samples, head: number): void {
  for (const chain of ['ETH', 'BSC']) {
    const of = (name: string) => sumOf(now, name, `chain="${chain}"`);
    expect([of('ducat_chain_lag_blocks'), of('ducat_chain_halted')]).toEqual([0, 0]);
    expect(of('ducat_chain_lag_seconds')).toBeGreaterThanOrEqual(0);
    expect(of('ducat_chain_lag_seconds')).toBeLessThan(300);
    expect(of('ducat_clock_skew_seconds')).toBeLessThan(300);
    expect(of('ducat_rpc_seconds_count')).toBe(of('ducat_rpc_requests_total'));
    expect(of('ducat_rpc_seconds_sum')).toBeGreaterThan(0);
  }
  const onEth = (name: string, ...labels: string[]) => sumOf(now, name, 'chain="ETH"', ...labels);
  expect([onEth('ducat_chain_head_block'), onEth('ducat_chain_accepted_block')]).toEqual([head, head]);
  expect(onEth('ducat_chain_final_block')).toBeLessThan(head);
  expect([onEth('ducat_reorgs_total'), onEth('ducat_reorg_depth_blocks')]).toEqual([1, 2]);
  expect(onEth('ducat_transfers_total', 'state="final"')).toBe(1);
  expect(onEth('ducat_transfers_total', 'state="seen"')).toBe(2);
}

it('counts what happened, and names every chain, queue, outcome and code', async () => {
  const now = await happenings();
  expectChains(now, (await system.eth.head()).number);

  const queue = (name: string) => sumOf(now, 'ducat_queue_depth', `queue="${name}"`);
  const waiting = ['pendingEvents', 'deadEvents', 'openOrders', 'seenTransfers'].map(queue);
  expect(waiting).toEqual([0, 0, 1, 0]);
  expect(queue('freeAddresses')).toBeGreaterThan(0);

  const attempts = [...now.keys()].filter((key) => key.startsWith('ducat_webhook_attempts_total{'));
  expect(attempts).toHaveLength(2);
  expect(sumOf(now, 'ducat_webhook_attempts_total')).toBe(2);
  expect(sumOf(now, 'ducat_webhook_seconds_count')).toBe(2);

  const code = (value: number) =>
    sumOf(now, 'ducat_api_answers_total', 'operation="create-order"', `code="${value}"`);
  expect([code(0), code(10003)]).toEqual([2, 1]);
  expect(sumOf(now, 'ducat_api_seconds_count', 'operation="create-order"')).toBe(3);
  expect(now.get('ducat_bugs_total')).toBe(0);
});

it('counts the errors of a node that went away, and stays ready for the other chain', async () => {
  await system.bsc.node.stop();
  const later = await waitUntil('the lost node to be noticed', async () => {
    const samples = await scrape();
    const failed = sumOf(samples, 'ducat_rpc_requests_total', 'chain="BSC"', 'ok="false"');
    return failed > 0 && sumOf(samples, 'ducat_chain_outages_total', 'chain="BSC"') > 0 && samples;
  });
  expect(sumOf(later, 'ducat_rpc_requests_total', 'chain="ETH"', 'ok="false"')).toBeNaN();
  const ready = await fetch(`${system.operationsUrl()}/readyz`);
  expect([ready.status, await ready.json()]).toMatchObject([
    200,
    { ready: true, chains: { ETH: { ready: true } } },
  ]);
});
