// Paying out on a real Tron dev chain: exactly once, and built anew only after proof that it never was.
import { amountOf, unitsOf } from '@ducat/core/money/amount';
import { GATEWAY_ACCOUNT } from '@ducat/core/signing/key-path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readQuarantinedPayouts } from '../src/db/tables/outgoing/quarantines.ts';
import { tokenCode } from '@ducat/testkit/chains/evm/evm-contracts';
import { startTronProxy, type TronProxy } from '@ducat/testkit/chains/tron/tron-proxy';
import { TronPayer, toTron } from '@ducat/testkit/chains/tron/tron-payer';
import { testCurrency } from '@ducat/testkit/chains/test-currencies';
import { Killed, type PayStage } from '@ducat/testkit/payer/pay-stage';
import { mintOnTron, openTronPayStage } from '@ducat/testkit/payer/tron-pay-stage';

let node: TronPayer;
let contract: string;
let proxies: readonly TronProxy[];
let stage: PayStage;
let recipients = 0;
let branches = 0;

const trx = 1_000_000n;
const feeCap = 100n * trx;
/** Long enough for every backoff to be over. */
const later = 70_000;

beforeAll(async () => {
  node = await TronPayer.start();
  contract = await node.deploy(tokenCode());
  const token = testCurrency(1001, toTron(contract));
  proxies = await Promise.all([startTronProxy(node.dev.fullUrl), startTronProxy(node.dev.fullUrl)]);
  stage = await openTronPayStage(node, {
    native: testCurrency(1000, null),
    token,
    rpcUrls: proxies.map(({ url }) => url),
    fund: async (wallet) => {
      await node.sendAndMine({ to: `0x${wallet.slice(2)}`, value: 10_000n * trx });
      await mintOnTron(node, contract, wallet, 10n ** 12n);
    },
  });
  await settle();
});
afterEach(async () => {
  for (const proxy of proxies) answerHonestly(proxy);
  expect(await stage.troubles()).toEqual([]);
});
afterAll(async () => {
  await stage?.close();
  await Promise.all((proxies ?? []).map((proxy) => proxy.stop()));
  await node?.dev.stop();
});

function answerHonestly(proxy: TronProxy): void {
  proxy.lie();
  proxy.refuse(null);
}

function stranger(): string {
  recipients += 1;
  return `41${'5'.repeat(36)}${recipients.toString(16).padStart(4, '0')}`;
}

/** Makes every transaction final that is in a block. */
const settle = () => stage.mine(8);

async function expectPaid(id: string, to: string, units: bigint): Promise<void> {
  expect(await stage.row(id)).toMatchObject({ state: 'succeeded', trouble: null });
  expect(await stage.held(to)).toBe(units);
}

describe('a payout on Tron', () => {
  it('is paid, in TRX that activates an account and in tokens, and what it cost is booked', async () => {
    const [one, other] = [stranger(), stranger()];
    const ids = [
      await stage.request(one, 5_000_000n, { feeCap }),
      await stage.request(other, 3n * trx, { coin: true, feeCap }),
    ];
    await stage.pay();
    for (const id of ids)
      expect(await stage.row(id)).toMatchObject({ state: 'signed', nonce: null, trouble: null });
    await settle();
    for (const id of ids) expect(await stage.row(id)).toMatchObject({ state: 'succeeded', variants: 1 });
    expect(await stage.held(one)).toBe(5_000_000n);
    const [coin] = stage.under.definition.currencies;
    if (coin !== undefined) expect(await stage.held(other, coin)).toBe(3n * trx);
  });

  it('is two transactions where two are equal', async () => {
    const to = stranger();
    const ids = [await stage.request(to, 9n, { feeCap }), await stage.request(to, 9n, { feeCap })];
    await stage.pay();
    await settle();
    for (const id of ids) await expectPaid(id, to, 18n);
  });

  // hits mark: coin-is-promised-once
  it('is signed only while its coin pays for all that are under way', async () => {
    const wallet = stage.addressOf({ account: GATEWAY_ACCOUNT, branch: 'wallet', index: 1 });
    await stage.database.transact((tx) =>
      tx.write(
        `INSERT INTO addresses (family, derivation_index, address, purpose) VALUES ('tron', 1, $1, 'wallet')`,
        [wallet],
      ),
    );
    const coin = (sun: bigint) => node.sendAndMine({ to: `0x${wallet.slice(2)}`, value: sun });
    await coin(trx);
    await mintOnTron(node, contract, wallet, 1_000n);
    await settle();
    const tos = Array.from({ length: 5 }, stranger);
    const { token: currency } = stage.under;
    const planned = { from: wallet, to: tos[0] ?? '', currency, amount: amountOf(currency.currencyId, 10n) };
    const estimate = await stage.writer.estimate(planned);
    const most = unitsOf((estimate.outcome === 'possible' && estimate.unaided?.most) || amountOf(1000, 0n));
    await coin((most * 5n) / 2n - trx);
    await settle();
    const ids: string[] = [];
    const request = async (to: string) => ids.push(await stage.request(to, 10n, { from: wallet, feeCap }));
    const [first = '', ...others] = tos;
    await request(first);
    const [refused = ''] = ids;
    stage.unsigned.set(refused, 'limit-hour');
    await stage.pay();
    stage.unsigned.clear();
    for (const to of others) await request(to);
    const signed = async () => {
      await stage.pay(later);
      const rows = await Promise.all(ids.map((id) => stage.row(id)));
      return rows.filter(({ state }) => state === 'signed').length;
    };
    // The coin is enough for the most that two may cost, and for half of the third.
    expect(await signed()).toBe(2);
    // One that was refused and finds no coin keeps its refusal.
    expect(await stage.row(refused)).toMatchObject({
      state: 'waiting',
      trouble: 'the signer refuses: limit-hour',
    });
    expect(await signed()).toBe(2);
    await coin(most * 5n);
    await settle();
    expect(await signed()).toBe(3);
    await settle();
    for (const [place, to] of tos.entries()) await expectPaid(ids[place] ?? '', to, 10n);
  });

  it('is no success where nodes call it a duplicate, and is sent again', async () => {
    const to = stranger();
    const id = await stage.request(to, 1_000n, { feeCap });
    const text = JSON.stringify({ code: 'DUP_TRANSACTION_ERROR', message: '447570', txid: '00' });
    for (const proxy of proxies) proxy.refuse({ status: 200, text, calls: /broadcasthex/ });
    await stage.pay();
    expect(await stage.row(id)).toMatchObject({
      state: 'signed',
      trouble: expect.stringContaining('DUP_TRANSACTION'),
    });
    for (const proxy of proxies) answerHonestly(proxy);
    await stage.pay(later);
    await settle();
    await expectPaid(id, to, 1_000n);
    expect(await stage.row(id)).toMatchObject({ variants: 1 });
  });

  it('is paid once wherever the process dies', async () => {
    const paid: { readonly id: string; readonly to: string }[] = [];
    for (let lives = 0; ; lives++) {
      const to = stranger();
      const id = await stage.request(to, 7n, { feeCap });
      paid.push({ id, to });
      stage.lives = lives;
      const death = await stage.pay().catch((error: unknown) => error);
      stage.restart();
      if (death === undefined) break;
      expect(death).toBeInstanceOf(Killed);
      await stage.pay(later);
      await stage.mine(1);
    }
    await stage.pay(later);
    await settle();
    for (const { id, to } of paid) await expectPaid(id, to, 7n);
  });

  // hits mark: rebuilt-only-after-proof
  // hits mark: expired-by-the-final-block
  it('is built anew once its expiry is final and no block holds it, and not before', async () => {
    const to = stranger();
    const id = await stage.request(to, 1_000n, { feeCap });
    const text = JSON.stringify({ code: 'SERVER_BUSY', message: '00', txid: '00' });
    for (const proxy of proxies) proxy.refuse({ status: 200, text, calls: /broadcasthex/ });
    await stage.pay();
    const [bytes = ''] = await stage.bytesOf(id);
    // The head is past the expiry, and the final block is not.
    stage.nowMs += 400_000;
    await stage.mine(1);
    await stage.pay(later);
    expect(await stage.row(id)).toMatchObject({ state: 'signed', variants: 1 });
    await settle();
    for (const proxy of proxies) answerHonestly(proxy);
    await stage.pay(later);
    expect(await stage.row(id)).toMatchObject({ state: 'signed', variants: 2 });
    expect(await stage.bytesOf(id)).toHaveLength(2);
    // The transaction that was signed first has expired and cannot be executed any more.
    await fetch(`${node.dev.fullUrl}/wallet/broadcasthex`, {
      method: 'POST',
      body: JSON.stringify({ transaction: bytes }),
    });
    await settle();
    await expectPaid(id, to, 1_000n);
  });

  // hits mark: a-broken-item-stops-itself-alone
  it('goes on beside one that breaks, which is left alone for an hour', async () => {
    const [one, other] = [stranger(), stranger()];
    const [id, next] = [
      await stage.request(one, 1_000n, { feeCap }),
      await stage.request(other, 2_000n, { feeCap }),
    ];
    const sql = 'UPDATE outgoing_transactions SET subject = $1 WHERE subject_id = $2';
    const setSubject = (subject: object) =>
      stage.database.transact((tx) => tx.write(sql, [JSON.stringify(subject), id]));
    await setSubject({});
    await stage.pay();
    await settle();
    await expectPaid(next, other, 2_000n);
    const broken = await readQuarantinedPayouts(stage.database.reader, stage.nowMs);
    expect([...broken.keys()]).toEqual([id]);
    await setSubject({ kind: 'payout', id, approval: null });
    stage.nowMs += 3_600_000;
    await settle();
    await stage.pay();
    await settle();
    await expectPaid(id, one, 1_000n);
  });

  // hits mark: a-shared-bug-stops-the-payer
  it('stops its worker where three in a row break', async () => {
    const to = stranger();
    const ids: string[] = [];
    for (const units of [1_000n, 2_000n, 3_000n]) ids.push(await stage.request(to, units, { feeCap }));
    const setSubject = (id: string, subject: object) =>
      stage.database.transact((tx) =>
        tx.write('UPDATE outgoing_transactions SET subject = $1 WHERE subject_id = $2', [
          JSON.stringify(subject),
          id,
        ]),
      );
    for (const id of ids) await setSubject(id, {});
    await expect(stage.pay()).rejects.toThrow();
    expect((await readQuarantinedPayouts(stage.database.reader, stage.nowMs)).size).toBe(3);
    for (const id of ids) await setSubject(id, { kind: 'payout', id, approval: null });
    stage.nowMs += 3_600_000;
    await settle();
    await stage.pay();
    await settle();
    for (const id of ids) await expectPaid(id, to, 6_000n);
  });

  it('is mined again by the same bytes where a fork drops it', async () => {
    const to = stranger();
    const id = await stage.request(to, 1_000n, { feeCap });
    await stage.pay();
    await stage.mine(1);
    branches += 1;
    const name = `other-${branches}`;
    await node.dev.openBranch(name, node.dev.head().number - 1);
    await node.dev.mineOn(name, 2, []);
    await node.dev.switchTo(name, { orphans: 'drop' });
    await stage.watch();
    expect(await stage.row(id)).toMatchObject({ state: 'signed', variants: 1 });
    await stage.pay();
    await settle();
    await expectPaid(id, to, 1_000n);
    expect(await stage.row(id)).toMatchObject({ variants: 1 });
  });

  it('fails by proof where the token reverts in the block, and its fee is booked', async () => {
    const all = await stage.held(stage.wallet);
    const [one, other] = [stranger(), stranger()];
    const ids = [await stage.request(one, all, { feeCap }), await stage.request(other, all, { feeCap })];
    await stage.pay();
    await settle();
    const rows = await Promise.all(ids.map((id) => stage.row(id)));
    expect(rows.map(({ state }) => state).sort()).toEqual(['failed', 'succeeded']);
    expect((await stage.held(one)) + (await stage.held(other))).toBe(all);
  });
});
