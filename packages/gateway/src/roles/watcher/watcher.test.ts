// The two loops under one lease: a search that hangs holds up no block, and what is true of providers is logged once.
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { insertTestOrder, USDT } from '@ducat/testkit/fixtures';
import { WatchStage } from '@ducat/testkit/watcher/watch-stage';
import { Outage } from '../../runtime/outage.ts';
import { realWorld } from '../../runtime/world.ts';
import { readCursors, readsCurrency } from '../../db/tables/cursors.ts';
import { readLease } from '../../db/tables/leases.ts';
import { reportedAtStart, reportProviders } from './report.ts';
import { runWatcher } from './watcher.ts';

let stage: WatchStage;
beforeEach(async () => {
  stage = await WatchStage.open({ providers: (chain) => [chain.provider('p0'), chain.provider('p1')] });
});
afterEach(() => stage.close());

it('reads and settles while balances hang, and both loops end with the signal', async () => {
  const coin = await insertTestOrder(stage.database, { currencyId: 1000, units: 1n });
  const token = await insertTestOrder(stage.database, { tradeNo: 'ord_2' });
  stage.chain.mine([
    {
      transfers: [
        { currencyId: USDT, from: '0xpayer', to: token.address, units: 10_000_000n },
        { currencyId: 1000, from: '0xpayer', to: coin.address, units: 1n },
      ],
    },
  ]);
  stage.chain.mineEmpty(6);
  const hanging: ((error: unknown) => void)[] = [];
  const balances = () => new Promise<never>((_, reject) => void hanging.push(reject));
  const reader = { ...stage.reader, balances };
  const stopping = new AbortController();
  const taken: string[] = [];
  const onLease = (chain: string, held: boolean) => void taken.push(`${chain} ${held}`);
  const { database } = stage;
  await database.transact((tx) => tx.write('UPDATE leases SET holder = NULL', []));
  const watch = {
    ...stage.watch,
    chain: reader,
    world: realWorld,
    observer: { ...stage.watch.observer, onLease },
  };
  const running = runWatcher(watch, stopping.signal);
  await waitUntil('the search to ask', () => hanging.length > 0);
  const head = stage.chain.mine().number;
  await waitUntil('the walk to go on', async () => (await stage.cursor()).head?.number === head);
  expect(await stage.transfers()).toEqual(['final 10000000', 'final 1']);
  expect((await stage.cursor()).searchedNumber).toBeNull();
  stopping.abort();
  expect(taken.slice(0, 2)).toEqual(['ETH false', 'ETH true']);
  for (const reject of hanging) reject(new Outage('gave no answer in time'));
  await running;
});

it('leaves a chain on which orders wait in a currency that it does not read', async () => {
  const { database } = stage;
  const whole = stage.watch.chain.definition;
  const older = { ...whole, currencies: whole.currencies.filter(({ currencyId }) => currencyId !== USDT) };
  const said: string[] = [];
  const start = (holder: string, definition: typeof whole) => {
    const stopping = new AbortController();
    const error = (fields: object) => void said.push(`${holder}: ${JSON.stringify(fields)}`);
    const log = { ...stage.watch.log, error };
    const chain = { ...stage.reader, definition };
    const running = runWatcher({ ...stage.watch, chain, holder, world: realWorld, log }, stopping.signal);
    return async () => {
      stopping.abort();
      await running;
    };
  };
  const holder = async () => (await readLease(database.reader, 'watch-ETH'))?.holder ?? null;
  const cursor = async () => (await readCursors(database.reader)).get('ETH');
  const isRead = async () => readsCurrency(await cursor(), USDT);
  await database.transact((tx) => tx.write('UPDATE leases SET holder = NULL', []));
  const stopOlder = start('older', older);
  await waitUntil('the older process to read', async () => ((await cursor())?.head ?? null) !== null);
  expect(await isRead()).toBe(false);

  // A newer process takes over, and an order in the token that it brings is opened.
  const stopNewer = start('newer', whole);
  await stopOlder();
  await waitUntil('the newer process to read', isRead);
  const { address } = await insertTestOrder(database);

  // The older process comes back with its old file, while the newer one is away for a moment.
  const stopAgain = start('older', older);
  await stopNewer();
  await waitUntil('the older process to say why it waits', () => said.length > 0);
  expect(said).toEqual([expect.stringMatching(`^older.*does not read: ${USDT};`)]);
  expect(await holder()).toBeNull();
  stage.chain.mine([{ transfers: [{ currencyId: USDT, from: '0xpayer', to: address, units: 10_000_000n }] }]);
  const stopLast = start('newer', whole);
  await waitUntil('the payment to be seen', async () => (await stage.transfers()).length > 0);
  expect([await stage.transfers(), await holder()]).toEqual([['seen 10000000'], 'newer']);
  await Promise.all([stopAgain(), stopLast()]);
});

it('circuits and gaps are logged when they change', () => {
  let reason: string | null = null;
  let gaps: readonly string[] = ['known at the start'];
  const chain = {
    ...stage.reader,
    gaps: () => gaps,
    providers: () => [
      {
        provider: 'p0',
        circuit: reason === null ? 'closed' : 'open',
        reason,
        disagreements: 0,
        head: 1,
      } as const,
    ],
  };
  const watch = { ...stage.watch, chain };
  let reported = reportedAtStart(watch);
  const steps: readonly (readonly [string | null, readonly string[]])[] = [
    [null, ['known at the start']],
    ['is away', ['known at the start', 'new']],
    ['is away', ['known at the start', 'new']],
    ['is outvoted', ['new']],
    [null, ['new']],
  ];
  for (const step of steps) {
    [reason, gaps] = step;
    reported = reportProviders(watch, reported);
  }
  expect(stage.logged).toEqual([
    'warn the circuit of a provider is not closed',
    'warn new gap',
    'warn the circuit of a provider is not closed',
    'info gap is over',
    'info circuit closed: the provider is used again',
  ]);
});
