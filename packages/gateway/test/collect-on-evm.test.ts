// Collections on a real EVM dev chain into the app's wallet: by the cheapest way, once, and never at a loss.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readWalletsReport } from '../src/db/reports/wallets-report.ts';
import { readBalances } from '../src/db/tables/books/ledger.ts';
import { insertColdAddresses, readColdHoldings } from '../src/db/tables/books/cold-storage.ts';
import { setHalted } from '../src/db/tables/cursors.ts';
import { askColdTransfer } from '../src/flows/collections/ask-cold-transfer.ts';
import { changeNetwork } from '../src/flows/merchants/change-network.ts';
import { thawHolding } from '../src/flows/collections/thaw-holding.ts';
import { compareCold, isColdShort } from '../src/roles/maintenance/compare-cold.ts';
import { amountOf } from '@ducat/core/money/amount';
import { AnvilPayer } from '@ducat/testkit/chains/evm/anvil-payer';
import { mintSelector, tokenCode } from '@ducat/testkit/chains/evm/evm-contracts';
import { testCurrency, testDefinition } from '@ducat/testkit/chains/test-currencies';
import { CollectStage } from '@ducat/testkit/payer/collect-stage';
import { Killed, PayStage } from '@ducat/testkit/payer/pay-stage';
import type { Currency } from '@ducat/core/chain/currency';

let node: AnvilPayer;
let stage: PayStage;
let collecting: CollectStage;
let native: Currency;
let token: Currency;
let other: Currency;

const word = (value: string | bigint): string => value.toString(16).replace('0x', '').padStart(64, '0');
const ether = 10n ** 18n;

beforeAll(async () => {
  node = await AnvilPayer.start();
  native = { ...testCurrency(1000, null, 18), rateAsset: 'ETH' };
  token = { ...testCurrency(1001, await node.deploy(tokenCode())), rateAsset: 'USDT' };
  other = { ...testCurrency(1002, await node.deploy(tokenCode())), rateAsset: 'USDT' };
  stage = await PayStage.open({
    definition: testDefinition({ currencies: [native, token, other] }),
    token,
    rpcUrls: [node.chain.rpcUrl],
    mine: (count) => node.chain.mine(count),
    fund: (wallet) => node.sendAndMine({ to: wallet, value: 10n * ether }),
  });
  collecting = await CollectStage.open(stage);
  await settle();
});
afterEach(async () => {
  expect(await stage.troubles()).toEqual([]);
});
afterAll(async () => {
  await stage?.close();
  await node?.chain.stop();
});

const settle = () => stage.mine(6);

async function mint(to: string, units: bigint, currency: Currency = token): Promise<void> {
  const data = `0x${mintSelector}${word(to)}${word(units)}`;
  await node.sendAndMine({ to: currency.contract ?? '', data });
  await settle();
}

describe('collecting', () => {
  // hits mark: nothing-is-collected-on-a-halted-chain
  it('funds exactly the gas of a token, moves all of it, and keeps quiet before its window is over', async () => {
    const address = await collecting.deposit();
    await mint(address, 500_000_000n);
    await collecting.collect();
    const halt = (reason: string | null) => stage.database.transact((tx) => setHalted(tx, 'TEST', reason));
    await halt('a test');
    await collecting.collect(collecting.policy.windowMs);
    await halt(null);
    expect(await collecting.collections(address)).toEqual([]);
    await collecting.collectAll(settle);
    expect(await collecting.collections(address)).toEqual([
      { method: 'funded', state: 'collected', units: '500000000' },
    ]);
    expect(await stage.held(address)).toBe(0n);
    expect(await stage.held(collecting.wallet)).toBe(500_000_000n);
    expect(await collecting.holdings(address)).toEqual([]);
    // The coin that is left is worth less than moving it costs, and it is no payment.
    expect(await stage.held(address, native)).toBeLessThan(10n ** 15n);
  });

  // hits mark: one-top-up-at-a-time
  // hits mark: a-top-up-is-taken-back-unsigned
  it('the wallet gets coin for the fees of its payouts, once, and within the budget', async () => {
    const { wallet, policy } = collecting;
    const coinOf = (address: string) => stage.held(address, native);
    await stage.requestAgain('poor', `0x${'8'.repeat(40)}`, 7_000_000n, { from: wallet });
    await stage.pay(1_000);
    expect(await stage.row('poor')).toMatchObject({ state: 'waiting' });
    collecting.policy = { ...policy, topUpBudget: amountOf(1000, 1n) };
    await collecting.topUp();
    expect(collecting.events.at(-1)).toBe('over-budget');
    collecting.policy = policy;
    for (let again = 0; again < 2; again++) await collecting.topUp();
    const topUps = () =>
      stage.database.reader.read<{ state: string }>(
        `SELECT state FROM outgoing_transactions WHERE subject_kind = 'funding' AND to_address = $1
         ORDER BY created_at_ms`,
        [wallet],
      );
    expect(await topUps()).toMatchObject([{ state: 'waiting' }]);
    const gas = await coinOf(stage.wallet);
    await node.chain.setBalance(hexOf(stage.wallet), 0n);
    await stage.pay(1_000);
    stage.nowMs += 2 * 60 * 60_000;
    await collecting.topUp();
    expect(await topUps()).toMatchObject([{ state: 'cancelled' }]);
    await collecting.topUp();
    expect(collecting.events.at(-1)).toBe('gas-short');
    await node.chain.setBalance(hexOf(stage.wallet), gas);
    await collecting.topUp();
    for (let steps = 0; steps < 2; steps++) {
      await stage.pay(70_000);
      await settle();
    }
    expect(await stage.row('poor')).toMatchObject({ state: 'succeeded' });
    expect(await topUps()).toMatchObject([{ state: 'cancelled' }, { state: 'succeeded' }]);
    // The coin that is left in the wallet pays for the next payouts, so no new top-up is needed.
    await stage.requestAgain('next', `0x${'8'.repeat(40)}`, 3_000_000n, { from: wallet });
    await collecting.topUp();
    await stage.pay(1_000);
    await settle();
    expect(await stage.row('next')).toMatchObject({ state: 'succeeded' });
    expect(await topUps()).toHaveLength(2);
    for (const address of [wallet, stage.wallet]) expect(await booked(address)).toBe(await coinOf(address));
  });

  // hits mark: cold-is-none-of-ours
  it('money of a wallet goes to cold storage and comes back, owed to the same app', async () => {
    const { wallet } = collecting;
    const [chain, cold] = [stage.under.definition, node.address];
    const ask = (id: string, to: string) =>
      stage.database.transact((tx) =>
        askColdTransfer(tx, {
          coldTransferId: id,
          outgoingId: `out_${id}`,
          chain,
          from: wallet,
          to,
          amount: amountOf(token.currencyId, 90_000_000n),
          feeCap: amountOf(native.currencyId, 10n ** 17n),
          approval: null,
          by: 'ann',
          reason: 'a test',
          nowMs: stage.nowMs,
        }),
      );
    expect(await ask('cld_1', stage.wallet)).toBe('ours');
    await stage.database.transact((tx) => insertColdAddresses(tx, chain.name, [cold]));
    const owed = () => readBalances(stage.database.reader, 'app_1');
    const [before, owedBefore] = [await stage.held(wallet), await owed()];
    expect(await ask('cld_2', cold)).toBe('asked');
    await stage.pay(1_000);
    await settle();
    expect(await stage.row('cld_2')).toMatchObject({ state: 'succeeded' });
    const holdings = () => readColdHoldings(stage.database.reader, chain.name);
    expect(await holdings()).toMatchObject([
      { address: cold, held: amountOf(token.currencyId, 90_000_000n) },
    ]);
    const compared = () => compareCold({ chain: stage.reader, reader: stage.database.reader });
    expect((await compared()).map(isColdShort)).toEqual([false]);
    const sendFromCold = async (to: string, units: bigint): Promise<void> => {
      await node.sendAndMine({ to: token.contract ?? '', data: `0xa9059cbb${word(to)}${word(units)}` });
      await settle();
    };
    await sendFromCold(wallet, 60_000_000n);
    expect(await holdings()).toMatchObject([
      { address: cold, held: amountOf(token.currencyId, 30_000_000n) },
    ]);
    expect(await stage.held(wallet)).toBe(before - 30_000_000n);
    expect(await booked(wallet, token)).toBe(before - 30_000_000n);
    expect(await owed()).toEqual(owedBefore);
    // Money that left cold storage for another address than the wallet is missing.
    await sendFromCold(`0x${'9'.repeat(40)}`, 1n);
    expect((await compared()).map(isColdShort)).toEqual([true]);
    // More money comes back than was sent to cold storage. It was never owed.
    await mint(cold, 10_000_000n);
    await sendFromCold(wallet, 31_000_000n);
    expect(await holdings()).toMatchObject([
      { address: cold, held: amountOf(token.currencyId, -1_000_000n) },
    ]);
    expect((await compared()).map(isColdShort)).toEqual([false]);
    expect(await owed()).toEqual(owedBefore);
  });

  it('moves the coin down to nothing', async () => {
    const address = await collecting.deposit();
    await node.send({ to: address, value: ether });
    await settle();
    await collecting.collectAll(settle);
    expect(await collecting.collections(address)).toMatchObject([{ method: 'native', state: 'collected' }]);
    expect(await stage.held(address, native)).toBe(0n);
    expect(await stage.held(collecting.wallet, native)).toBeGreaterThan((ether * 9n) / 10n);
    expect(await collecting.holdings(address)).toEqual([]);
  });

  it('moves a token first, by the coin that lies there, and the coin after it', async () => {
    const address = await collecting.deposit();
    await node.send({ to: address, value: ether });
    await mint(address, 50_000_000n);
    await collecting.collectAll(settle);
    await collecting.collectAll(settle);
    expect(await collecting.collections(address)).toMatchObject([
      { method: 'plain', state: 'collected', units: '50000000' },
      { method: 'native', state: 'collected' },
    ]);
    expect(await stage.held(address, native)).toBe(0n);
  });

  it('leaves what its merchant wants left', async () => {
    const network = (minOperableValue: bigint | null) =>
      stage.database.transact((tx) => changeNetwork(tx, 'app_1', { allowedRanges: [], minOperableValue }));
    await network(51_000_000n);
    const address = await collecting.deposit();
    await mint(address, 50_000_000n);
    await collecting.collect(collecting.policy.windowMs);
    expect(await collecting.holdings(address)).toMatchObject([{ state: 'small' }]);
    await network(null);
    await collecting.collect(6 * 3_600_000);
    await collecting.collectAll(settle);
    expect(await collecting.collections(address)).toMatchObject([{ state: 'collected' }]);
  });

  it('leaves what is not worth it, until a payout waits for it', async () => {
    const address = await collecting.deposit();
    await mint(address, 2_000_000n);
    await collecting.collect(collecting.policy.windowMs);
    expect(await collecting.holdings(address)).toMatchObject([{ state: 'small' }]);
    expect(await collecting.collections(address)).toEqual([]);
    const all = await stage.held(collecting.wallet);
    await stage.requestAgain('demand', `0x${'7'.repeat(40)}`, all + 1_000_000n, { from: collecting.wallet });
    await node.chain.setBalance(hexOf(collecting.wallet), ether);
    await stage.pay();
    expect(await stage.row('demand')).toMatchObject({ state: 'waiting' });
    await collecting.collect(5 * 60_000);
    await collecting.collectAll(settle);
    await stage.pay(70_000);
    await settle();
    expect(await collecting.collections(address)).toMatchObject([{ state: 'collected' }]);
    expect(await stage.row('demand')).toMatchObject({ state: 'succeeded' });
  });

  // hits mark: frozen-is-shown-and-not-tried
  it('shows a token that refuses as frozen, with its reason, and sends nothing', async () => {
    const address = await collecting.deposit();
    await mint(address, 100_000_000n, other);
    // Calls of the size of balanceOf return 100 tokens, all others revert.
    const program = `0x36602414600a575f5ffd5b63${(100_000_000).toString(16).padStart(8, '0')}5f5260205ff3`;
    await node.chain.rpc('anvil_setCode', [other.contract, program]);
    await collecting.collect(collecting.policy.windowMs);
    const [holding] = await collecting.holdings(address);
    expect(holding).toMatchObject({ state: 'frozen' });
    expect(holding?.reason).toContain('reverts');
    expect(await collecting.collections(address)).toEqual([]);
    const balances = await readBalances(stage.database.reader, 'app_1');
    expect(balances.get(other.currencyId)?.operable).toEqual(amountOf(other.currencyId, 0n));
    const { name: chain, family } = stage.under.definition;
    const query = { chain, family };
    const report = await readWalletsReport(stage.database.reader, query);
    const held = amountOf(other.currencyId, 100_000_000n);
    expect(report.holdings).toContainEqual({ appId: 'app_1', state: 'frozen', addresses: 1, held });
    expect(report.deposits).toContainEqual(held);
    expect(report.wallets.map((wallet) => wallet.address)).toContain(collecting.wallet);
    const where = { chain, address, currencyId: other.currencyId };
    const thawed = () => stage.database.transact((tx) => thawHolding(tx, where, stage.nowMs));
    expect(await thawed()).toBe(true);
    expect(await thawed()).toBe(false);
  });

  // hits mark: only-what-the-books-hold-is-collected
  // hits mark: one-collection-at-a-time
  it('happens once wherever the process dies', async () => {
    const before = await stage.held(collecting.wallet);
    const addresses = [await collecting.deposit(), await collecting.deposit()];
    for (const address of addresses) await mint(address, 10_000_000n);
    stage.nowMs += collecting.policy.windowMs;
    for (let steps = 0; steps < 3; steps++) {
      for (let lives = 0; ; lives++) {
        stage.lives = lives;
        const death = await collecting.collect().catch((error: unknown) => error);
        stage.restart();
        if (death === undefined) break;
        expect(death).toBeInstanceOf(Killed);
      }
      await stage.pay(1_000);
      await settle();
    }
    for (const address of addresses) {
      expect(await collecting.collections(address)).toMatchObject([
        { state: 'collected', units: '10000000' },
      ]);
      expect(await stage.held(address)).toBe(0n);
    }
    expect(await stage.held(collecting.wallet)).toBe(before + 10_000_000n * BigInt(addresses.length));
  });

  // hits mark: given-up-only-before-it-is-signed
  it('gives up what cannot be paid for long, and waits for the budget and for the gas wallet', async () => {
    const address = await collecting.deposit();
    await mint(address, 10_000_000n);
    const { policy } = collecting;
    collecting.policy = { ...policy, dailyBudget: amountOf(1000, 1n) };
    await collecting.collect(policy.windowMs);
    const reasons = async () => (await collecting.holdings(address)).map(({ reason }) => reason);
    expect(await reasons()).toEqual(["the day's budget has no room for it"]);
    collecting.policy = policy;
    await node.chain.setBalance(hexOf(stage.wallet), 0n);
    await collecting.collect(20 * 60_000);
    expect(await reasons()).toEqual(['the gas wallet has too little']);
    await node.chain.setBalance(hexOf(stage.wallet), ether);
    await collecting.collect(20 * 60_000);
    await node.chain.setBalance(hexOf(stage.wallet), 0n);
    await stage.pay(1_000);
    await collecting.collect(2 * 60 * 60_000);
    expect(await collecting.collections(address)).toMatchObject([{ state: 'withdrawn' }]);
    expect(await collecting.holdings(address)).toMatchObject([{ state: 'waiting' }]);
    await node.chain.setBalance(hexOf(stage.wallet), 10n * ether);
    await collecting.collect(2 * 60 * 60_000);
    await collecting.collectAll(settle);
    expect(await collecting.collections(address)).toMatchObject([
      { state: 'withdrawn' },
      { state: 'collected' },
    ]);
  });
});

function hexOf(text: string): `0x${string}` {
  return `0x${text.slice(2)}`;
}

/** The custody of a wallet in the books. */
async function booked(wallet: string, { currencyId } = native): Promise<bigint> {
  const [row] = await stage.database.reader.read<{ units: string }>(
    `SELECT (-balance)::text AS units FROM accounts WHERE kind = 'custody' AND owner = $1 AND currency_id = $2`,
    [`TEST/${wallet}`, currencyId],
  );
  return BigInt(row?.units ?? 0);
}
