// Paying out on a real EVM dev chain: exactly once, whatever nodes answer and wherever the process dies.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { resumeCurrency, suspendCurrency } from '../src/db/tables/books/currency-suspensions.ts';
import { setHalted } from '../src/db/tables/cursors.ts';
import { cancelOutgoing } from '../src/flows/outgoing/cancel-outgoing.ts';
import { withOwnSenders } from '../src/roles/watcher/own-senders.ts';
import { AnvilPayer } from '@ducat/testkit/chains/evm/anvil-payer';
import { mintSelector, tokenCode } from '@ducat/testkit/chains/evm/evm-contracts';
import { assemble } from '@ducat/testkit/chains/evm/evm-program';
import { startTamperingProxy, type TamperingProxy } from '@ducat/testkit/chains/evm/tampering-proxy';
import { testCurrency, testDefinition } from '@ducat/testkit/chains/test-currencies';
import { Killed, PayStage } from '@ducat/testkit/payer/pay-stage';

let node: AnvilPayer;
let proxies: readonly TamperingProxy[];
let stage: PayStage;
let recipients = 0;

const word = (value: string | bigint): string => value.toString(16).replace('0x', '').padStart(64, '0');
const ether = 10n ** 18n;

beforeAll(async () => {
  node = await AnvilPayer.start();
  const token = testCurrency(1001, await node.deploy(tokenCode()));
  proxies = await Promise.all([
    startTamperingProxy(node.chain.rpcUrl),
    startTamperingProxy(node.chain.rpcUrl),
  ]);
  const definition = testDefinition({ currencies: [testCurrency(1000, null, 18), token] });
  stage = await PayStage.open({
    definition,
    token,
    rpcUrls: proxies.map(({ url }) => url),
    mine: (count) => node.chain.mine(count),
    fund: async (wallet) => {
      await node.send({ to: wallet, value: 10n * ether });
      const data = `0x${mintSelector}${word(wallet)}${word(10n ** 12n)}`;
      await node.sendAndMine({ to: token.contract ?? '', data });
    },
  });
  await stage.mine(6);
});
afterEach(async () => {
  for (const proxy of proxies) proxy.change();
  expect(await stage.troubles()).toEqual([]);
});
afterAll(async () => {
  await stage?.close();
  await Promise.all((proxies ?? []).map((proxy) => proxy.stop()));
  await node?.chain.stop();
});

function stranger(): string {
  recipients += 1;
  return `0x${'5'.repeat(36)}${recipients.toString(16).padStart(4, '0')}`;
}

/** Makes every transaction final that is in a block. */
const settle = () => stage.mine(5);

/** Long enough for every backoff to be over, and for a new variant to be due. */
const later = 70_000;

/** Changes the answers of both providers to a broadcast, whether or not they accepted the transaction. */
function answerBroadcasts(change: Parameters<TamperingProxy['change']>[0]): void {
  for (const proxy of proxies) proxy.change(change);
}

/** The answer of a node that accepts a transaction and reports nothing: a 502. */
const silence = {
  body: (body: string, methods: readonly string[]) => {
    return methods.includes('eth_sendRawTransaction') ? { status: 502, body: '' } : { body };
  },
};

async function txIdOf(id: string, variant = 0): Promise<`0x${string}`> {
  const rows = await stage.database.reader.read<{ tx_id: `0x${string}` }>(
    `SELECT v.tx_id FROM outgoing_variants v JOIN outgoing_transactions USING (outgoing_id)
     WHERE subject_id = $1 AND v.tx_id IS NOT NULL ORDER BY ordinal`,
    [id],
  );
  return rows[variant]?.tx_id ?? '0x';
}

async function expectPaid(id: string, to: string, units: bigint): Promise<void> {
  expect(await stage.row(id)).toMatchObject({ state: 'succeeded', trouble: null });
  expect(await stage.held(to)).toBe(units);
}

describe('a payout on EVM', () => {
  it('is paid, in coin and in tokens, and what it cost is booked', async () => {
    const [one, other] = [stranger(), stranger()];
    const ids = [
      await stage.request(one, 5_000_000n),
      await stage.request(other, ether / 10n, { coin: true }),
    ];
    await stage.pay();
    expect(await stage.row(ids[0] ?? '')).toMatchObject({ state: 'signed', trouble: null });
    await settle();
    for (const id of ids) expect(await stage.row(id)).toMatchObject({ state: 'succeeded', variants: 1 });
    expect(await stage.held(one)).toBe(5_000_000n);
    const [coin] = stage.under.definition.currencies;
    if (coin !== undefined) expect(await stage.held(other, coin)).toBe(ether / 10n);
  });

  it('is asked for once by one subject, and can be cancelled while it waits alone', async () => {
    const id = await stage.request(stranger(), 1n);
    const subject = { kind: 'payout', id } as const;
    // hits mark: one-subject-one-transfer
    expect(await stage.requestAgain(id, stranger(), 2n)).toBe('repeated');
    const cancel = () => stage.database.transact((tx) => cancelOutgoing(tx, subject, stage.nowMs));
    expect([await cancel(), await cancel()]).toEqual([true, false]);
    await stage.pay();
    expect(await stage.row(id)).toMatchObject({ state: 'cancelled', variants: 0 });
  });

  it('is sent once by a node that takes it and gives no answer', async () => {
    const to = stranger();
    const id = await stage.request(to, 1_000n);
    answerBroadcasts(silence);
    await stage.pay();
    expect(await stage.row(id)).toMatchObject({
      state: 'signed',
      trouble: expect.stringContaining('HTTP 502'),
    });
    await stage.pay(later);
    expect(await stage.row(id)).toMatchObject({ state: 'signed', trouble: null, variants: 1 });
    answerBroadcasts({});
    await settle();
    await expectPaid(id, to, 1_000n);
  });

  it.each(['already known', 'nonce too low: next nonce 9, tx nonce 1'])(
    'is sent again where a node said falsely: %s',
    async (message) => {
      const to = stranger();
      const id = await stage.request(to, 1_000n);
      answerBroadcasts({ errors: { eth_sendRawTransaction: { code: -32_000, message } } });
      await stage.pay();
      // The node accepted the transaction all the same, so it is dropped to make the answer true.
      await node.chain.dropTransaction(await txIdOf(id));
      answerBroadcasts({});
      await settle();
      expect(await stage.row(id)).toMatchObject({
        state: 'signed',
        trouble: expect.stringContaining(message),
      });
      await stage.pay(later);
      await settle();
      await expectPaid(id, to, 1_000n);
      expect(await stage.row(id)).toMatchObject({ variants: 1 });
    },
  );

  // hits mark: stored-before-it-is-sent
  it('is paid once wherever the process dies', async () => {
    const paid: { readonly id: string; readonly to: string }[] = [];
    for (let lives = 0; ; lives++) {
      const to = stranger();
      const id = await stage.request(to, 7n);
      paid.push({ id, to });
      stage.lives = lives;
      const death = await stage.pay().catch((error: unknown) => error);
      stage.restart();
      if (death === undefined) break;
      expect(death).toBeInstanceOf(Killed);
      await stage.pay(later);
    }
    // Prepared, signed, stored, sent and recorded, each before and after.
    expect(paid.length).toBeGreaterThan(10);
    await stage.pay(later);
    await settle();
    await stage.pay(later);
    await settle();
    for (const { id, to } of paid) await expectPaid(id, to, 7n);
  });

  it('is offered at more where blocks cost more, and any variant may win', async () => {
    const to = stranger();
    const id = await stage.request(to, 1_000n);
    await stage.pay();
    await node.chain.setNextBaseFee(100n * 10n ** 9n);
    await stage.mine(1);
    await node.chain.setNextBaseFee(100n * 10n ** 9n);
    await stage.pay(later);
    expect(await stage.row(id)).toMatchObject({ state: 'signed', variants: 2 });
    expect(await stage.bytesOf(id)).toHaveLength(2);
    // The price falls, and a node that still has the first one puts it into a block.
    await node.chain.dropTransaction(await txIdOf(id, 1));
    await node.chain.setNextBaseFee(1_000_000_000n);
    const [first = ''] = await stage.bytesOf(id);
    await node.chain.rpc('eth_sendRawTransaction', [`0x${first}`]);
    await settle();
    await expectPaid(id, to, 1_000n);
    expect((await stage.row(id)).tx_id).toBe(await txIdOf(id));
  });

  it('is never offered at more than it may cost', async () => {
    const to = stranger();
    await node.chain.setNextBaseFee(10n ** 9n);
    await stage.mine(1);
    const id = await stage.request(to, 1_000n, { feeCap: 10n ** 15n });
    await stage.pay();
    await node.chain.setNextBaseFee(10n ** 13n);
    await stage.mine(1);
    await node.chain.setNextBaseFee(10n ** 13n);
    await stage.pay(later);
    await stage.pay(later);
    expect(await stage.row(id)).toMatchObject({ state: 'signed' });
    const waiting = await stage.request(stranger(), 1n, { feeCap: 10n ** 15n });
    await stage.pay();
    expect(await stage.row(waiting)).toMatchObject({
      state: 'waiting',
      trouble: 'the network fee is above what it may cost',
    });
    await node.chain.setNextBaseFee(10n ** 9n);
    await stage.mine(1);
    await stage.pay(later);
    await settle();
    await expectPaid(id, to, 1_000n);
    expect(await stage.row(waiting)).toMatchObject({ state: 'succeeded' });
  });

  it('is mined again by the same bytes where a reorg drops it', async () => {
    const to = stranger();
    const id = await stage.request(to, 1_000n);
    await stage.pay();
    await stage.mine(1);
    expect(await stage.held(to)).toBe(0n);
    await node.chain.reorg(1);
    await stage.mine(1);
    await settle();
    expect(await stage.row(id)).toMatchObject({ state: 'signed', variants: 1 });
    await stage.pay();
    await settle();
    await expectPaid(id, to, 1_000n);
  });

  // hits mark: nothing-is-signed-that-cannot-be-paid
  it('waits unsigned for an empty wallet, and goes on once it is filled', async () => {
    const to = stranger();
    await node.chain.setBalance(hexOf(stage.wallet), 0n);
    const id = await stage.request(to, 1_000n);
    await stage.pay();
    expect(await stage.row(id)).toMatchObject({
      state: 'waiting',
      variants: 0,
      trouble: expect.stringContaining('needs'),
    });
    await node.chain.setBalance(hexOf(stage.wallet), 5n * ether);
    await stage.pay(later);
    await settle();
    await expectPaid(id, to, 1_000n);
  });

  // hits mark: a-status-alone-proves-nothing
  it('fails by proof where the token reverts in the block, and its fee is booked', async () => {
    const all = await stage.held(stage.wallet);
    const [one, other] = [stranger(), stranger()];
    const [first, second] = [await stage.request(one, all), await stage.request(other, all)];
    await stage.pay();
    await settle();
    await expectPaid(first, one, all);
    expect(await stage.row(second)).toMatchObject({ state: 'failed' });
    expect(await stage.held(other)).toBe(0n);
    const data = `0x${mintSelector}${word(stage.wallet)}${word(10n ** 12n)}`;
    await node.sendAndMine({ to: stage.under.token.contract ?? '', data });
    await settle();
  });

  // hits mark: gas-burners-get-nothing
  it('waits unsigned where the recipient burns gas', async () => {
    const burner = await node.deploy(assemble(':again 1 0 SSTORE @again JUMP'));
    const id = await stage.request(burner, 1_000n, { coin: true });
    await stage.pay();
    expect(await stage.row(id)).toMatchObject({ state: 'waiting', variants: 0 });
    expect((await stage.row(id)).trouble).toMatch(/too-dear|reverts/);
    await stage.database.transact((tx) => cancelOutgoing(tx, { kind: 'payout', id }, stage.nowMs));
  });

  it('waits for a signer that is away, and gives its nonce back where the signer refuses', async () => {
    const [one, other] = [stranger(), stranger()];
    const id = await stage.request(one, 1_000n);
    stage.isSignerAway = true;
    await stage.pay();
    expect(await stage.row(id)).toMatchObject({ state: 'prepared', trouble: 'the signer gives no answer' });
    stage.isSignerAway = false;
    // hits mark: nothing-prepared-is-signed-while-suspended
    const { database, under } = stage;
    const { currencyId } = under.token;
    await database.transact((tx) => suspendCurrency(tx, currencyId, 'by a test', 0));
    await stage.pay(later);
    expect(await stage.row(id)).toMatchObject({ state: 'prepared', trouble: 'its currency is suspended' });
    await database.transact((tx) => resumeCurrency(tx, currencyId));
    stage.refusal = 'limit-hour';
    await stage.pay(later);
    expect(await stage.row(id)).toMatchObject({ state: 'waiting', nonce: null, variants: 0 });
    stage.refusal = null;
    const next = await stage.request(other, 2_000n);
    await stage.pay();
    await settle();
    await expectPaid(next, other, 2_000n);
    await stage.pay(later);
    await settle();
    await expectPaid(id, one, 1_000n);
  });

  // hits mark: nothing-is-signed-on-a-halted-chain
  it('waits while its chain is halted', async () => {
    const to = stranger();
    const id = await stage.request(to, 1_000n);
    const halt = (reason: string | null) => stage.database.transact((tx) => setHalted(tx, 'TEST', reason));
    await halt('a test');
    await stage.pay(later);
    expect(await stage.row(id)).toMatchObject({ state: 'waiting', variants: 0 });
    await halt(null);
    await stage.pay(later);
    await settle();
    await expectPaid(id, to, 1_000n);
  });

  // hits mark: no-gaps-and-few-in-flight
  it('goes in the order of nonces, sixteen at a time, whether or not those in blocks are final', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 20; count++) ids.push(await stage.request(stranger(), 1n));
    await stage.pay();
    const states = async () => (await Promise.all(ids.map((id) => stage.row(id)))).map(({ state }) => state);
    expect((await states()).filter((state) => state === 'signed')).toHaveLength(16);
    await stage.mine(1);
    await stage.pay(1_000);
    expect(new Set(await states())).toEqual(new Set(['signed']));
    // The first transaction that is in no block gets a variant with a higher fee. The ones before it are not final yet.
    await node.chain.setNextBaseFee(100n * 10n ** 9n);
    await stage.mine(1);
    await stage.pay(later);
    expect(new Set(await states())).toEqual(new Set(['signed']));
    const variants = (await Promise.all(ids.map((id) => stage.row(id)))).map((row) => row.variants);
    expect(variants.filter((count) => count > 1)).toHaveLength(1);
    await node.chain.setNextBaseFee(10n ** 9n);
    await stage.mine(1);
    await stage.pay(later);
    await settle();
    expect(new Set(await states())).toEqual(new Set(['succeeded']));
  });

  // hits mark: signed-while-blocks-were-read
  it('is found in a block that was read before it was known to be signed', async () => {
    const to = stranger();
    const id = await stage.request(to, 1_000n);
    await stage.pay();
    await stage.under.mine(1);
    const { currencies } = stage.under.definition;
    const block = await stage.reader.block(await stage.reader.head(), { currencies, txIds: new Set() });
    expect(block?.inclusions).toEqual([]);
    const named = { blocks: block === null ? [] : [block], txIds: new Set<string>() };
    const [again] = await withOwnSenders(stage.watcher, named);
    expect(again?.inclusions.map(({ txId }) => txId)).toEqual([await txIdOf(id)]);
    await stage.watch();
    await settle();
    await expectPaid(id, to, 1_000n);
  });

  // hits mark: foreign-nonce-stops-the-sender
  it('stops where another signer uses the key', async () => {
    const overtaken = await stage.request(stranger(), 500n);
    await stage.pay();
    // The thief pays more for the same nonce, so ours never happens.
    await node.chain.dropTransaction(await txIdOf(overtaken));
    const stolen = { to: stranger(), contract: null, baseUnits: 1n, gasLimit: 21_000n };
    const fees = { type: 'legacy', gasPrice: 10n ** 11n } as const;
    const nonce = await node.nonceOf(stage.wallet);
    const bytes = stage.signAside((wallet) => ({ family: 'evm', ...wallet, ...stolen, nonce, fees }));
    await node.chain.rpc('eth_sendRawTransaction', [`0x${bytes}`]);
    await settle();
    const to = stranger();
    const id = await stage.request(to, 1_000n);
    await stage.pay(later);
    await stage.pay(later);
    expect(await stage.row(id)).toMatchObject({ state: 'waiting', variants: 0 });
    expect((await stage.row(id)).trouble).toContain('was used by a transaction that is not in the books');
    expect(await stage.row(overtaken)).toMatchObject({ state: 'signed' });
    expect(stage.logged).toContain('error a sender is stopped until an operator has looked');
    const resumed = await stage.resumeSender(await node.nonceOf(stage.wallet));
    expect(resumed).toMatchObject({
      outcome: 'resumed',
      failed: [{ subjectKind: 'payout', subjectId: overtaken }],
    });
    expect(await stage.row(overtaken)).toMatchObject({ state: 'failed' });
    await stage.pay(later);
    await settle();
    await expectPaid(id, to, 1_000n);
  });
});

function hexOf(text: string): `0x${string}` {
  return `0x${text.slice(2)}`;
}
