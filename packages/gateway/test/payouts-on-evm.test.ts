// Payouts of an app on a real EVM dev chain, from the money of its orders to one webhook each.
import { nativeCurrency } from '@ducat/core/chain/chain';
import { amountOf } from '@ducat/core/money/amount';
import { AnvilPayer } from '@ducat/testkit/chains/evm/anvil-payer';
import { mintSelector, tokenCode } from '@ducat/testkit/chains/evm/evm-contracts';
import { testCurrency, testDefinition } from '@ducat/testkit/chains/test-currencies';
import { insertTestOrder } from '@ducat/testkit/fixtures';
import { PayStage } from '@ducat/testkit/payer/pay-stage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPayout } from '../src/db/tables/payouts/payouts.ts';
import { createPayout } from '../src/flows/payouts/create-payout.ts';

let node: AnvilPayer;
let stage: PayStage;
const all = 10n ** 12n;
const one = `0x${'5'.repeat(40)}`;
const other = `0x${'6'.repeat(40)}`;
const word = (value: string | bigint): string => value.toString(16).replace('0x', '').padStart(64, '0');

async function mint(token: string, to: string, amount: bigint): Promise<void> {
  await node.sendAndMine({ to: token, data: `0x${mintSelector}${word(to)}${word(amount)}` });
}

beforeAll(async () => {
  node = await AnvilPayer.start();
  const contract = await node.deploy(tokenCode());
  const token = testCurrency(1001, contract);
  stage = await PayStage.open({
    definition: testDefinition({ currencies: [testCurrency(1000, null, 18), token] }),
    token,
    rpcUrls: [node.chain.rpcUrl],
    mine: (count) => node.chain.mine(count),
    fund: async (wallet) => {
      await node.send({ to: wallet, value: 10n ** 19n });
      await mint(contract, wallet, all);
    },
  });
  await stage.mine(6);
});
afterAll(async () => {
  await stage?.close();
  await node?.chain.stop();
});

describe('payouts of an app', () => {
  const units = (count: bigint) => amountOf(stage.under.token.currencyId, count);

  /** Made by the app, from what its orders brought. */
  async function create(tradeNo: string, toAddress: string, count: bigint): Promise<void> {
    const native = (wei: bigint) => amountOf(nativeCurrency(stage.under.definition).currencyId, wei);
    const created = await stage.database.transact((tx) =>
      createPayout(tx, {
        tradeNo,
        toAddress,
        appId: 'app_1',
        idempotencyKey: tradeNo,
        signature: tradeNo,
        inputHash: '',
        chain: stage.under.definition,
        currency: stage.under.token,
        amount: units(count),
        gas: units(5n),
        networkFee: native(10n ** 15n),
        feeCap: native(10n ** 17n),
        value: 0n,
        callbackUrl: null,
        codeStep: undefined,
        nowMs: stage.nowMs,
      }),
    );
    expect(created.outcome).toBe('created');
  }
  const statusOf = async (tradeNo: string) => (await readPayout(stage.database.reader, tradeNo))?.status;

  it('are paid or fail by proof, each with one webhook, and what failed is released', async () => {
    await stage.openApp();
    const { address } = await insertTestOrder(stage.database, { chain: stage.under.definition.name });
    await mint(stage.under.token.contract ?? '', address, 3n * all);
    await stage.mine(5);
    await create('pay_1', one, all);
    await create('pay_2', other, all);
    await stage.pay();
    expect([await statusOf('pay_1'), await statusOf('pay_2')]).toEqual(Array(2).fill('CONFIRMING-PROGRESS'));
    await stage.mine(5);
    // The wallet holds enough for one of them: which one goes first is not said.
    const isFirstPaid = (await statusOf('pay_1')) === 'PAID';
    const [paid, failed] = isFirstPaid ? (['pay_1', 'pay_2'] as const) : (['pay_2', 'pay_1'] as const);
    expect([await statusOf(paid), await statusOf(failed)]).toEqual(['PAID', 'FAIL']);
    const held = [await stage.held(one), await stage.held(other)];
    expect(held).toEqual(isFirstPaid ? [all, 0n] : [0n, all]);
    const events = await stage.database.reader.read<{ body: string }>(
      "SELECT body FROM events WHERE type = 'TRANSFER' ORDER BY status DESC",
      [],
    );
    expect(events.map(({ body }) => JSON.parse(body))).toMatchObject([
      { tradeNo: paid, status: 'PAID', txId: (await stage.row(paid)).tx_id },
      { tradeNo: failed, status: 'FAIL', txId: (await stage.row(failed)).tx_id },
    ]);
    const balances = await stage.database.reader.read<{ kind: string; balance: string }>(
      `SELECT kind, balance FROM accounts
       WHERE kind IN ('available', 'frozen', 'sent', 'fee', 'network-charge') AND balance <> 0 ORDER BY kind`,
      [],
    );
    expect(balances).toEqual([
      { kind: 'available', balance: (2n * all - 5n - 300_000_000n).toString() },
      { kind: 'fee', balance: '300000000' },
      { kind: 'network-charge', balance: '5' },
    ]);
    expect(await stage.troubles()).toEqual([]);
  });
});
