// Deposit addresses and wallets on a real Tron dev chain: collected by burning, topped up, moved to cold storage and back.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertColdAddresses, readColdHoldings } from '../src/db/tables/books/cold-storage.ts';
import { askColdTransfer } from '../src/flows/collections/ask-cold-transfer.ts';
import { amountOf } from '@ducat/core/money/amount';
import { tokenCode } from '@ducat/testkit/chains/evm/evm-contracts';
import { TronPayer, toTron } from '@ducat/testkit/chains/tron/tron-payer';
import { testCurrency } from '@ducat/testkit/chains/test-currencies';
import { CollectStage } from '@ducat/testkit/payer/collect-stage';
import type { PayStage } from '@ducat/testkit/payer/pay-stage';
import { mintOnTron, openTronPayStage } from '@ducat/testkit/payer/tron-pay-stage';

let node: TronPayer;
let stage: PayStage;
let collecting: CollectStage;
let contract: string;

const word = (value: string | bigint): string => value.toString(16).padStart(64, '0');
const trx = 1_000_000n;
const native = { ...testCurrency(1000, null), rateAsset: 'TRX' };

beforeAll(async () => {
  node = await TronPayer.start();
  contract = await node.deploy(tokenCode());
  const token = { ...testCurrency(1001, toTron(contract)), rateAsset: 'USDT' };
  stage = await openTronPayStage(node, {
    native,
    token,
    fund: (wallet) => node.sendAndMine({ to: `0x${wallet.slice(2)}`, value: 10_000n * trx }),
  });
  collecting = await CollectStage.open(stage);
  await settle();
});
afterAll(async () => {
  await stage?.close();
  await node?.dev.stop();
});

const settle = () => stage.mine(8);

describe('collecting on Tron', () => {
  it('activates and funds, burns energy, leaves one unit, and moves TRX less its bandwidth', async () => {
    const [one, other] = [await collecting.deposit(), await collecting.deposit()];
    await mintOnTron(node, contract, one, 50_000_000_000n);
    await node.sendAndMine({ to: `0x${other.slice(2)}`, value: 100n * trx });
    await settle();
    await collecting.collectAll(settle);
    expect(await collecting.collections(one)).toEqual([
      { method: 'funded', state: 'collected', units: '49999999999' },
    ]);
    expect(await stage.held(one)).toBe(1n);
    expect(await stage.held(collecting.wallet)).toBe(49_999_999_999n);
    expect(await collecting.holdings(one)).toEqual([]);
    expect(await collecting.collections(other)).toMatchObject([{ method: 'native', state: 'collected' }]);
    expect(await stage.held(collecting.wallet, native)).toBeGreaterThan(95n * trx);
    expect(await stage.held(other, native)).toBeLessThan(trx);
    expect(await stage.troubles()).toEqual([]);
  });
});

it('the wallet gets TRX for its payouts, and its tokens go to cold storage and come back', async () => {
  const { wallet } = collecting;
  const { database, under } = stage;
  const cold = toTron(node.address);
  const [before, coin] = [await stage.held(wallet), await stage.held(wallet, native)];
  await stage.requestAgain('pay', `41${'8'.repeat(40)}`, 7_000_000n, { from: wallet, feeCap: 100n * trx });
  for (let again = 0; again < 2; again++) await collecting.topUp();
  expect(collecting.events.at(-1)).toBe('started');
  await stage.pay(1_000);
  await settle();
  expect(await stage.row('pay')).toMatchObject({ state: 'succeeded' });
  const topUps = await database.reader.read(
    "SELECT state FROM outgoing_transactions WHERE subject_kind = 'funding' AND to_address = $1",
    [wallet],
  );
  expect(topUps).toEqual([{ state: 'succeeded' }]);
  expect(await stage.held(wallet, native)).toBeGreaterThan(coin + 50n * trx);
  const amount = amountOf(1001, 40_000_000n);
  const asked = {
    coldTransferId: 'cld_1',
    outgoingId: 'out_cld_1',
    chain: under.definition,
    from: wallet,
    to: cold,
    amount,
    feeCap: amountOf(1000, 100n * trx),
    approval: null,
    by: 'ann',
    reason: 'a test',
  };
  await database.transact((tx) => insertColdAddresses(tx, under.definition.name, [cold]));
  const answer = await database.transact((tx) => askColdTransfer(tx, { ...asked, nowMs: stage.nowMs }));
  expect(answer).toBe('asked');
  await stage.pay(1_000);
  await settle();
  expect(await readColdHoldings(database.reader, under.definition.name)).toMatchObject([
    { address: cold, held: amount },
  ]);
  await node.sendAndMine({ to: contract, data: `0xa9059cbb${word(wallet.slice(2))}${word(40_000_000n)}` });
  await settle();
  expect(await readColdHoldings(database.reader, under.definition.name)).toEqual([]);
  expect(await stage.held(wallet)).toBe(before - 7_000_000n);
  const booked = await database.reader.read<{ balance: string }>(
    "SELECT balance::text FROM accounts WHERE kind = 'custody' AND owner = $1 ORDER BY currency_id",
    [`${under.definition.name}/${wallet}`],
  );
  expect(booked.map(({ balance }) => -BigInt(balance))).toEqual([
    await stage.held(wallet, native),
    await stage.held(wallet),
  ]);
  expect(await stage.troubles()).toEqual([]);
});

it('the coin is moved whatever its amount, also where no bandwidth is free any more', async () => {
  const address = await collecting.deposit();
  // Each transfer takes 266 to 271 bytes of 600 that are free within a day.
  for (const count of [90n, 300n, 300n, 40_000n]) {
    await node.sendAndMine({ to: `0x${address.slice(2)}`, value: count * trx });
    await settle();
    await collecting.collectAll(settle);
    expect(await stage.held(address, native)).toBeLessThan(trx / 100n);
  }
  expect(await collecting.collections(address)).toHaveLength(4);
});
