// Payouts of an app on a real EVM dev chain, from the money of its orders to one webhook each, stuck or dropped or not.
import { nativeCurrency } from '@ducat/core/chain/chain';
import { amountOf } from '@ducat/core/money/amount';
import { AnvilPayer } from '@ducat/testkit/chains/evm/anvil-payer';
import { mintSelector, tokenCode } from '@ducat/testkit/chains/evm/evm-contracts';
import { assemble } from '@ducat/testkit/chains/evm/evm-program';
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
const third = `0x${'7'.repeat(40)}`;
const fourth = `0x${'8'.repeat(40)}`;
const gwei = 10n ** 9n;
/** Long enough for a new variant to be due. */
const later = 70_000;
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

  /** Creates a payout of the app, from the money of its orders. */
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
  interface Variant {
    readonly txId: `0x${string}`;
    readonly nonce: number;
    readonly prices: readonly [bigint, bigint];
  }
  async function variantsOf(tradeNo: string): Promise<readonly Variant[]> {
    const rows = await stage.database.reader.read<{ txId: `0x${string}`; intent: string }>(
      `SELECT v.tx_id AS "txId", intent FROM outgoing_variants v JOIN outgoing_transactions USING (outgoing_id)
       WHERE subject_id = $1 ORDER BY ordinal`,
      [tradeNo],
    );
    return rows.map(({ txId, intent }) => {
      const { nonce, fees } = JSON.parse(intent);
      return { txId, nonce, prices: [BigInt(fees.maxFeePerGas), BigInt(fees.maxPriorityFeePerGas)] };
    });
  }

  /** Expects the same in the books, on the chain and in the merchant's webhooks. */
  async function expectPaidOnce(tradeNo: string, to: string, count: bigint, txId: string): Promise<void> {
    expect((await readPayout(stage.database.reader, tradeNo))?.end).toMatchObject({ txId });
    expect(await statusOf(tradeNo)).toBe('PAID');
    const topics = [null, null, `0x${word(to)}`];
    const filter = { address: stage.under.token.contract, fromBlock: '0x0', topics };
    const transfers = await node.chain.rpc('eth_getLogs', [filter]);
    expect(transfers).toMatchObject([{ transactionHash: txId, data: `0x${word(count)}` }]);
    const events = await stage.database.reader.read<{ body: string }>(
      "SELECT body FROM events WHERE type = 'TRANSFER' AND trade_no = $1",
      [tradeNo],
    );
    expect(events.map(({ body }) => JSON.parse(body))).toMatchObject([{ tradeNo, status: 'PAID', txId }]);
    expect(await stage.troubles()).toEqual([]);
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
    // The wallet has enough for one of them, and either may be paid first.
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

  it('are paid once where the first of six variants wins after the base fee rose fifty times', async () => {
    await mint(stage.under.token.contract ?? '', stage.wallet, 2_000n);
    await node.chain.setNextBaseFee(10n * gwei);
    await stage.mine(1);
    await create('pay_3', third, 1_000n);
    await stage.pay();
    for (const base of [25n, 55n, 115n, 240n, 500n]) {
      await node.chain.setNextBaseFee(base * gwei);
      await stage.mine(1);
      await node.chain.setNextBaseFee(base * gwei);
      await stage.pay(later);
    }
    const variants = await variantsOf('pay_3');
    expect(variants).toHaveLength(6);
    expect(new Set(variants.map(({ nonce }) => nonce)).size).toBe(1);
    for (const [index, { prices }] of variants.entries())
      for (const [which, price] of (variants[index - 1]?.prices ?? []).entries())
        expect((prices[which] ?? 0n) * 1_000n).toBeGreaterThanOrEqual(price * 1_125n);
    // The price falls, and a node that still has the first one puts it into a block.
    await node.chain.dropTransaction(variants[5]?.txId ?? '0x');
    await node.chain.setNextBaseFee(10n * gwei);
    const [first = '', ...others] = await stage.bytesOf('pay_3');
    await node.chain.rpc('eth_sendRawTransaction', [`0x${first}`]);
    await stage.mine(1);
    for (const bytes of others)
      await expect(node.chain.rpc('eth_sendRawTransaction', [`0x${bytes}`])).rejects.toThrow('nonce too low');
    await stage.pay(later);
    await stage.mine(5);
    await stage.pay(later);
    await stage.mine(2);
    await expectPaidOnce('pay_3', third, 1_000n, variants[0]?.txId ?? '');
  });

  it('are paid once by the same bytes where a reorg drops the block that held them', async () => {
    await create('pay_4', fourth, 1_000n);
    await stage.pay();
    await stage.mine(1);
    const [only] = await variantsOf('pay_4');
    const receipt = () => node.chain.rpc('eth_getTransactionReceipt', [only?.txId]);
    expect(await receipt()).toMatchObject({ status: '0x1' });
    await node.chain.reorg(1);
    await stage.mine(3);
    expect([await receipt(), await statusOf('pay_4')]).toEqual([null, 'CONFIRMING-PROGRESS']);
    await stage.pay();
    await stage.mine(5);
    await stage.pay(later);
    expect(await variantsOf('pay_4')).toHaveLength(1);
    await expectPaidOnce('pay_4', fourth, 1_000n, only?.txId ?? '');
  });
});

it('an account that borrows code by EIP-7702 is paid, and waits unsigned where that code burns gas or refuses coin', async () => {
  let accounts = 0;
  const borrowing = async (program: string) => {
    const account = `0x77${String(++accounts).padStart(38, '0')}`;
    const code = await node.deploy(assemble(program));
    await node.chain.rpc('anvil_setCode', [account, `0xef0100${code.slice(2)}`]);
    return account;
  };
  const balanceOf = async (account: string) =>
    BigInt(String(await node.chain.rpc('eth_getBalance', [account, 'latest'])));
  const frugal = await borrowing('1 0 SSTORE STOP');
  const burner = await borrowing(':again 1 0 SSTORE @again JUMP');
  const refusing = await borrowing('0 0 REVERT');
  const paid = await stage.request(frugal, 1_000n, { coin: true });
  const burnt = await stage.request(burner, 1_000n, { coin: true });
  const refused = await stage.request(refusing, 1_000n, { coin: true });
  await stage.pay();
  await stage.mine(5);
  expect(await stage.row(paid)).toMatchObject({ state: 'succeeded', variants: 1 });
  expect(await balanceOf(frugal)).toBe(1_000n);
  const waits = { state: 'waiting', variants: 0 };
  expect(await stage.row(burnt)).toMatchObject({ ...waits, trouble: expect.stringContaining('too-dear') });
  expect(await stage.row(refused)).toMatchObject({ ...waits, trouble: expect.stringContaining('reverts') });
});
