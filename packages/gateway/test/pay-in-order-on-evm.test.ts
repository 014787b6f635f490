// A wallet on a real EVM dev chain goes on, without a gap in its nonces, where its signer does not sign one of its transfers.
import { AnvilPayer } from '@ducat/testkit/chains/evm/anvil-payer';
import { mintSelector, tokenCode } from '@ducat/testkit/chains/evm/evm-contracts';
import { testCurrency, testDefinition } from '@ducat/testkit/chains/test-currencies';
import { Killed, PayStage } from '@ducat/testkit/payer/pay-stage';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { resumeCurrency, suspendCurrency } from '../src/db/tables/books/currency-suspensions.ts';
import { cancelOutgoing } from '../src/flows/outgoing/cancel-outgoing.ts';

const word = (value: string | bigint): string => value.toString(16).replace('0x', '').padStart(64, '0');

/** Long enough for every pause to be over. */
const later = 70_000;

let node: AnvilPayer;
let stage: PayStage;
let recipients = 0;

beforeAll(async () => {
  node = await AnvilPayer.start();
  const token = testCurrency(1001, await node.deploy(tokenCode()));
  stage = await PayStage.open({
    definition: testDefinition({ currencies: [testCurrency(1000, null, 18), token] }),
    token,
    rpcUrls: [node.chain.rpcUrl],
    mine: (count) => node.chain.mine(count),
    fund: async (wallet) => {
      await node.send({ to: wallet, value: 10n ** 19n });
      const data = `0x${mintSelector}${word(wallet)}${word(10n ** 12n)}`;
      await node.sendAndMine({ to: token.contract ?? '', data });
    },
  });
  await stage.mine(6);
});
afterEach(async () => {
  stage.unsigned.clear();
  stage.isSignerAway = false;
  await stage.pay(later);
  await stage.mine(5);
  expect(await stage.troubles()).toEqual([]);
});
afterAll(async () => {
  await stage?.close();
  await node?.chain.stop();
});

function stranger(): string {
  recipients += 1;
  return `0x${'6'.repeat(36)}${recipients.toString(16).padStart(4, '0')}`;
}

/** Transfers of tokens to new recipients. */
async function request(count: number): Promise<readonly [string, ...string[]]> {
  const first = await stage.request(stranger(), 7n);
  const others: string[] = [];
  while (others.length < count - 1) others.push(await stage.request(stranger(), 7n));
  return [first, ...others];
}

const statesOf = (ids: readonly string[]) => Promise.all(ids.map(async (id) => (await stage.row(id)).state));

const cancel = (id: string) =>
  stage.database.transact((tx) => cancelOutgoing(tx, { kind: 'payout', id }, stage.nowMs));

describe('a wallet whose signer does not sign one of its transfers', () => {
  // hits mark: no-gap-behind-a-refusal
  it('pays those behind a refused one at once, also when that one is tried again or cancelled', async () => {
    const [refused, ...others] = await request(4);
    stage.unsigned.set(refused, 'approval-missing');
    await stage.pay();
    await stage.mine(5);
    expect(await stage.row(refused)).toMatchObject({
      state: 'waiting',
      nonce: null,
      trouble: 'the signer refuses: approval-missing',
    });
    expect(await statesOf(others)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    // It falls due together with new ones. They take the nonces before its own.
    const more = await request(3);
    await stage.pay(later);
    expect(await statesOf(more)).toEqual(['signed', 'signed', 'signed']);
    expect(await cancel(refused)).toBe(true);
    const last = await request(1);
    await stage.pay();
    await stage.mine(5);
    expect(await statesOf([...more, ...last])).toEqual(Array(4).fill('succeeded'));
  });

  it('pays what can be paid among many refused ones, and asks for those again one by one', async () => {
    const refused = await request(5);
    for (const id of refused) stage.unsigned.set(id, 'limit-hour');
    const paid = await request(2);
    await stage.pay();
    await stage.mine(5);
    expect(await statesOf(paid)).toEqual(['succeeded', 'succeeded']);
    expect(await statesOf(refused)).toEqual(Array(5).fill('waiting'));
    const troubles = await Promise.all(refused.map(async (id) => (await stage.row(id)).trouble));
    expect(troubles).toEqual(Array(5).fill('the signer refuses: limit-hour'));
    stage.unsigned.clear();
    for (let rounds = 0; rounds < 5; rounds++) await stage.pay(later);
    await stage.mine(5);
    expect(await statesOf(refused)).toEqual(Array(5).fill('succeeded'));
  });

  it('asks for a refused one again, however many others wait, and counts no failure of one that has to wait', async () => {
    const refused = await request(2);
    for (const id of refused) stage.unsigned.set(id, 'limit-hour');
    await stage.pay();
    stage.unsigned.clear();
    const others = await request(40);
    await stage.pay(later);
    // One of them has the last of the sixteen free nonces.
    expect((await statesOf(refused)).toSorted()).toEqual(['signed', 'waiting']);
    expect((await statesOf(others)).filter((state) => state === 'signed')).toHaveLength(15);
    for (let rounds = 0; rounds < 3; rounds++) await stage.pay(later);
    const waiting = await stage.database.reader.read(
      `SELECT failures, trouble FROM outgoing_transactions WHERE state = 'waiting' AND subject_id = ANY($1::text[])`,
      [refused],
    );
    expect(waiting).toEqual([{ failures: 1, trouble: 'the signer refuses: limit-hour' }]);
    for (let rounds = 0; rounds < 3; rounds++) {
      await stage.mine(5);
      await stage.pay(later);
    }
    await stage.mine(5);
    expect(new Set(await statesOf([...refused, ...others]))).toEqual(new Set(['succeeded']));
  });

  // hits mark: signed-in-the-order-of-nonces
  it('asks for nothing behind one that gets no answer', async () => {
    const [first, ...others] = await request(3);
    stage.unsigned.set(first, 'away');
    await stage.pay();
    const { nonce } = await stage.row(first);
    expect(await stage.row(first)).toMatchObject({
      state: 'prepared',
      trouble: 'the signer gives no answer',
    });
    for (const id of others)
      expect(await stage.row(id)).toMatchObject({
        state: 'prepared',
        trouble: 'a lower nonce of its sender is not signed yet',
      });
    // The signer refuses it after all. None of the others was asked for, so they take the lower nonces.
    stage.unsigned.set(first, 'limit-hour');
    await stage.pay(later);
    expect(await stage.row(first)).toMatchObject({ state: 'waiting' });
    const nonces = await Promise.all(others.map(async (id) => (await stage.row(id)).nonce));
    expect(new Set(nonces)).toEqual(new Set([nonce, (nonce ?? 0) + 1]));
    await stage.mine(5);
    expect(await statesOf(others)).toEqual(['succeeded', 'succeeded']);
  });

  it('asks for all of them at once when the signer is back, however long each waits by itself', async () => {
    stage.isSignerAway = true;
    const ids: string[] = [];
    // They came at different times, so their pauses differ.
    while (ids.length < 6) {
      ids.push(...(await request(1)));
      await stage.pay(7_000);
    }
    for (let pauses = 0; pauses < 20; pauses++) await stage.pay(9_000);
    stage.isSignerAway = false;
    const [first = ''] = ids;
    for (let waited = 0; waited < 60 && (await stage.row(first)).state === 'prepared'; waited++)
      await stage.pay(1_000);
    expect(await statesOf(ids)).toEqual(Array(6).fill('signed'));
    await stage.mine(5);
    expect(await statesOf(ids)).toEqual(Array(6).fill('succeeded'));
  });

  it('signs nothing behind one of a suspended currency, and says so', async () => {
    const { currencyId } = stage.under.token;
    const [held] = await request(1);
    stage.isSignerAway = true;
    await stage.pay();
    stage.isSignerAway = false;
    await stage.database.transact((tx) => suspendCurrency(tx, currencyId, 'by a test', 0));
    const coin = await stage.request(stranger(), 7n, { coin: true });
    await stage.pay(later);
    await stage.pay();
    // The signer may have signed the held one, so its nonce stays with it.
    expect(await stage.row(held)).toMatchObject({ state: 'prepared', trouble: 'its currency is suspended' });
    expect(await stage.row(coin)).toMatchObject({
      state: 'prepared',
      trouble: 'a lower nonce of its sender is not signed yet',
    });
    await stage.database.transact((tx) => resumeCurrency(tx, currencyId));
    await stage.pay(later);
    await stage.mine(5);
    expect(await statesOf([held, coin])).toEqual(['succeeded', 'succeeded']);
  });

  it('pays each once, without a gap, wherever the process dies around a refusal', async () => {
    for (let lives = 0; ; lives++) {
      const [first, refused, ...others] = await request(4);
      if (refused === undefined) throw new Error('four were requested');
      stage.unsigned.set(refused, 'limit-hour');
      stage.lives = lives;
      const death = await stage.pay().catch((error: unknown) => error);
      stage.restart();
      await stage.pay(later);
      await stage.mine(5);
      expect(await statesOf([first, ...others])).toEqual(Array(3).fill('succeeded'));
      expect(await cancel(refused)).toBe(true);
      if (death === undefined) break;
      expect(death).toBeInstanceOf(Killed);
    }
  });

  it('sends the older bytes again while a higher offer waits for the signer', async () => {
    const [id] = await request(1);
    await stage.pay();
    await node.chain.setNextBaseFee(100n * 10n ** 9n);
    await stage.mine(1);
    await node.chain.setNextBaseFee(100n * 10n ** 9n);
    stage.isSignerAway = true;
    await stage.pay(later);
    expect(await stage.row(id)).toMatchObject({ variants: 2, trouble: 'the signer gives no answer' });
    const [signed] = await stage.database.reader.read<{ tx_id: `0x${string}` }>(
      `SELECT v.tx_id FROM outgoing_variants v JOIN outgoing_transactions USING (outgoing_id)
       WHERE subject_id = $1 AND v.tx_id IS NOT NULL`,
      [id],
    );
    const txId = signed?.tx_id ?? '0x';
    // This node drops what does not pay its base fee.
    expect(await node.chain.rpc('eth_getTransactionByHash', [txId])).toBe(null);
    await node.chain.setNextBaseFee(10n ** 9n);
    await stage.mine(1);
    await stage.pay(later);
    await stage.mine(5);
    expect(await stage.row(id)).toMatchObject({ state: 'succeeded', tx_id: txId });
  });
});
