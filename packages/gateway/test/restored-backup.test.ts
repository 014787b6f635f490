// A database restored from an hour ago, a signer in safe mode, and a chain that is ahead: nothing is paid a second time.
import { nativeCurrency } from '@ducat/core/chain/chain';
import type { Transfer } from '@ducat/core/chain/transfer';
import { amountOf } from '@ducat/core/money/amount';
import { AnvilPayer, type Sending } from '@ducat/testkit/chains/evm/anvil-payer';
import { mintSelector, tokenCode } from '@ducat/testkit/chains/evm/evm-contracts';
import { testCurrency, testDefinition, testTronDefinition } from '@ducat/testkit/chains/test-currencies';
import { TronPayer, toTron } from '@ducat/testkit/chains/tron/tron-payer';
import { fundApp } from '@ducat/testkit/api/paying-out';
import { plainWriting } from '@ducat/testkit/fixtures';
import { Killed, PayStage } from '@ducat/testkit/payer/pay-stage';
import { afterEach, describe, expect, it } from 'vitest';
import { listOutflows } from '../src/db/tables/payouts/payout-endings.ts';
import { readPayout } from '../src/db/tables/payouts/payouts.ts';
import { readSuspensions } from '../src/db/tables/books/currency-suspensions.ts';
import { resumeByHand } from '../src/flows/currencies/resume-by-hand.ts';
import { createPayout } from '../src/flows/payouts/create-payout.ts';
import { type EndedByHand, endByHand, type PaidBy } from '../src/flows/payouts/end-by-hand.ts';
import { type LookedAtOpen, lookAtOpen } from '../src/roles/payer/look-at-open.ts';
import { readFinal } from '../src/roles/watcher/fork/read-final.ts';

const word = (value: string | bigint): string => value.toString(16).replace('0x', '').padStart(64, '0');
const pays = (to: string): string => `0x${to.slice(2)}`;
let stage: PayStage;
let stop: () => Promise<unknown> = () => Promise.resolve();

afterEach(async () => {
  await stage?.close();
  await stop();
});

async function openEvm(): Promise<PayStage> {
  const node = await AnvilPayer.start();
  stop = () => node.chain.stop();
  const contract = await node.deploy(tokenCode());
  const token = testCurrency(1001, contract);
  return PayStage.open({
    definition: testDefinition({ currencies: [testCurrency(1000, null, 18), token] }),
    token,
    rpcUrls: [node.chain.rpcUrl],
    mine: (count) => node.chain.mine(count),
    fund: (wallet) => fund((sending) => node.sendAndMine(sending), contract, wallet, 10n ** 19n),
  });
}

async function openTron(): Promise<PayStage> {
  const node = await TronPayer.start();
  stop = () => node.dev.stop();
  const contract = await node.deploy(tokenCode());
  const token = testCurrency(1001, toTron(contract));
  return PayStage.open({
    definition: await testTronDefinition(node.dev.fullUrl, {
      currencies: [testCurrency(1000, null), token],
      blockTimeMs: 3_000,
    }),
    token,
    rpcUrls: [node.dev.fullUrl],
    solidityUrls: [node.dev.solidityUrl],
    mine: (count) => {
      const nowMs = stage === undefined ? 0 : stage.nowMs;
      node.dev.setNextBlockTimestamp(Math.max(node.dev.head().timestamp + 3_000, nowMs));
      return node.dev.mine(count);
    },
    fund: (wallet) => fund((sending) => node.sendAndMine(sending), contract, wallet, 10n ** 10n),
  });
}

async function fund(
  send: (sending: Sending) => Promise<unknown>,
  token: string,
  wallet: string,
  coin: bigint,
): Promise<void> {
  await send({ to: pays(wallet), value: coin });
  await send({ to: token, data: `0x${mintSelector}${word(wallet.slice(2))}${word(10n ** 9n)}` });
}

async function create(tradeNo: string, toAddress: string): Promise<void> {
  const { definition, token } = stage.under;
  const { currencyId } = nativeCurrency(definition);
  const created = await stage.database.transact((tx) =>
    createPayout(tx, {
      tradeNo,
      toAddress,
      appId: 'app_1',
      idempotencyKey: tradeNo,
      signature: tradeNo,
      inputHash: '',
      chain: definition,
      currency: token,
      amount: amountOf(token.currencyId, 1_000n),
      gas: amountOf(token.currencyId, 0n),
      networkFee: amountOf(currencyId, 1n),
      feeCap: amountOf(currencyId, 10n ** 17n),
      value: 0n,
      callbackUrl: null,
      codeStep: undefined,
      nowMs: stage.nowMs,
    }),
  );
  expect(created.outcome).toBe('created');
}

/** The transaction of a transfer, as a quorum reports it. */
async function paidBy({ chain, txId, position, block }: Transfer): Promise<PaidBy> {
  const shown = await readFinal(stage.reader, block.number, new Set([txId]));
  const [inclusion] = shown?.inclusions ?? [];
  if (inclusion === undefined) throw new Error('no quorum shows the transaction');
  return { chain, txId, position, family: stage.under.definition.family, inclusion };
}

/** Ends a payout as a person does, by a transfer that was found. */
async function endBy(tradeNo: string, transfer: Transfer): Promise<EndedByHand> {
  const word = { by: 'ada', reason: 'backup of noon', approvedBy: null };
  const proof = { status: 'PAID', paidBy: await paidBy(transfer), ...word } as const;
  return stage.database.transact((tx) =>
    endByHand(tx, { tradeNo, ...proof, ...plainWriting, nowMs: stage.nowMs }),
  );
}

/** Looks at what is open, as a person does while the payer is off. */
function look(): Promise<LookedAtOpen> {
  const { writer, under, database } = stage;
  const { reader, transact } = database;
  return lookAtOpen({
    definition: under.definition,
    writer,
    reader,
    transact,
    world: { nowMs: () => stage.nowMs },
  });
}

const statusOf = async (tradeNo: string) => (await readPayout(stage.database.reader, tradeNo))?.status;

describe.each([
  ['EVM', openEvm, '0x'],
  ['Tron', openTron, '41'],
] as const)('a restored backup on %s', (_, open, prefix) => {
  it('pays nothing twice, finds what it paid, and ends that by a word and a proof', async () => {
    stage = await open();
    const to = `${prefix}${'5a'.repeat(20)}`;
    await stage.mine(6);
    await stage.openApp();
    await fundApp(stage.database, 'app_1', 1001, 10_000n);
    await create('pay_1', to);
    const restore = await stage.backup();
    await stage.pay();
    await stage.mine(8);
    expect(await statusOf('pay_1')).toBe('PAID');

    await restore();
    stage.refusal = 'safe-mode';
    expect(await statusOf('pay_1')).toBe('PROGRESS');
    await stage.pay(70_000);
    await stage.mine(8);
    await stage.pay(70_000);
    expect(await stage.held(to)).toBe(1_000n);
    expect(await statusOf('pay_1')).toBe('PROGRESS');
    const [outflow] = await listOutflows(stage.database.reader, 9);
    expect(outflow).toMatchObject({ transfer: { to, amount: amountOf(1001, 1_000n) }, fits: ['pay_1'] });
    expect((await readSuspensions(stage.database.reader)).map(({ currencyId }) => currencyId)).toEqual([
      1001,
    ]);

    // The signer is resumed too early, when the payout is claimed and the outflow is not found yet.
    stage.refusal = null;
    await stage.pay(70_000);
    await stage.mine(8);
    // hits mark: nothing-is-signed-in-a-suspended-currency
    expect(await stage.held(to)).toBe(1_000n);

    if (outflow === undefined) throw new Error('no outflow was found');
    const end = (tradeNo: string) => endBy(tradeNo, outflow.transfer);
    // hits mark: adopted-exactly-as-promised
    // hits mark: adopted-when-nothing-is-on-its-way
    expect(await end('pay_1')).toBe('moved');
    expect(await end('pay_1')).toBe('no-such-outflow');
    expect(await statusOf('pay_1')).toBe('PAID');

    await stage.database.transact((tx) => resumeByHand(tx, 1001));
    await create('pay_2', to);
    expect(await end('pay_2')).toBe('no-such-outflow');
    await stage.pay(70_000);
    await stage.mine(8);
    // An EVM wallet's nonce on the chain is ahead of the books, so its sender is stopped, too, until a person decides.
    const isStopped = prefix === '0x';
    expect(await stage.held(to)).toBe(isStopped ? 1_000n : 2_000n);
    expect(await statusOf('pay_2')).toBe(isStopped ? 'PROGRESS' : 'PAID');
    // The money that the test gave the app has no entries.
    const troubles = await stage.troubles();
    expect(troubles.filter((text) => !text.startsWith('account '))).toEqual([]);
  });
});

describe('a restored backup on EVM that lost nothing but a signature', () => {
  const to = `0x${'5b'.repeat(20)}`;

  /** A payout whose transfer is signed and sent, while the restored books hold it as prepared. */
  async function loseSignature(): Promise<void> {
    stage = await openEvm();
    await stage.mine(6);
    await stage.openApp();
    await fundApp(stage.database, 'app_1', 1001, 10_000n);
    await create('pay_1', to);
    stage.isSignerAway = true;
    await stage.pay();
    const restore = await stage.backup();
    stage.isSignerAway = false;
    await stage.pay(70_000);
    await restore();
  }

  /** A later payout to the same recipient is not held up. */
  async function goesOn(): Promise<void> {
    await create('pay_2', to);
    await stage.pay(70_000);
    await stage.mine(8);
    expect(await statusOf('pay_2')).toBe('PAID');
    expect(await stage.held(to)).toBe(2_000n);
    const troubles = await stage.troubles();
    expect(troubles.filter((text) => !text.startsWith('account '))).toEqual([]);
  }

  it('ends the payout by itself, although its block was read before the signer was asked again', async () => {
    await loseSignature();
    await stage.mine(1);
    // The block is read. Only now the books get to know its transaction.
    await stage.pay(70_000);
    expect(await statusOf('pay_1')).toBe('CONFIRMING-PROGRESS');
    // hits mark: settled-only-with-its-inclusion
    await stage.mine(8);
    expect(await statusOf('pay_1')).toBe('PAID');
    await goesOn();
  });

  // hits mark: what-an-outflow-paid-is-not-signed
  it('signs nothing for the payout while an outflow fits it, also where everything is resumed too early', async () => {
    await loseSignature();
    await stage.mine(8);
    const [outflow] = await listOutflows(stage.database.reader, 9);
    if (outflow === undefined) throw new Error('no outflow was found');
    await stage.pay(70_000);
    expect(await endBy('pay_1', outflow.transfer)).toBe('on-its-way');
    expect(await stage.resumeSender(1)).toMatchObject({ outcome: 'resumed' });
    await stage.database.transact((tx) => resumeByHand(tx, 1001));
    await stage.pay(70_000);
    expect(await stage.row('pay_1')).toMatchObject({
      state: 'waiting',
      variants: 0,
      trouble: 'an outflow that no payout has taken is exactly this transfer',
    });
    expect(await endBy('pay_1', outflow.transfer)).toBe('moved');
    expect(await statusOf('pay_1')).toBe('PAID');
    await goesOn();
  });

  it('ends the payout while the payer is off: the look stops the sender, and a person resumes it', async () => {
    await loseSignature();
    expect(await look()).toMatchObject({ open: [{ outlook: 'open', txId: null, nonce: 0 }], stopped: [] });
    await stage.mine(8);
    const [outflow] = await listOutflows(stage.database.reader, 9);
    if (outflow === undefined) throw new Error('no outflow was found');
    expect(await endBy('pay_1', outflow.transfer)).toBe('on-its-way');
    const reason = 'nonce 0 was used by a transaction that is not in the books';
    const looked = { at: await stage.finalNumber(), open: [{ outlook: 'overtaken' }], stopped: [{ reason }] };
    expect(await look()).toMatchObject(looked);
    // A second look finds the same and changes nothing.
    expect(await look()).toMatchObject(looked);
    expect(await stage.row('pay_1')).toMatchObject({ state: 'prepared', nonce: 0 });
    expect(await stage.resumeSender(1)).toMatchObject({ outcome: 'resumed' });
    expect(await look()).toEqual({ at: null, open: [], stopped: [] });
    expect(await endBy('pay_1', outflow.transfer)).toBe('moved');
    expect(await statusOf('pay_1')).toBe('PAID');
    await stage.database.transact((tx) => resumeByHand(tx, 1001));
    await goesOn();
  });
});

/** A payout whose bytes are stored, by a process that died before it sent them. */
async function signUnsent(open: () => Promise<PayStage>, to: string): Promise<void> {
  stage = await open();
  await stage.mine(6);
  await stage.openApp();
  await fundApp(stage.database, 'app_1', 1001, 10_000n);
  await create('pay_1', to);
  for (let lives = 0; (await statusOf('pay_1')) === 'PROGRESS'; lives++) {
    stage.lives = lives;
    await expect(stage.pay(70_000)).rejects.toThrow(Killed);
    stage.restart();
  }
  expect(await statusOf('pay_1')).toBe('CONFIRMING-PROGRESS');
}

describe.each([
  ['EVM', openEvm, '0x'],
  ['Tron', openTron, '41'],
] as const)('signed bytes in a restored backup on %s, while the payer is off', (_, open, prefix) => {
  const to = `${prefix}${'5c'.repeat(20)}`;

  it('are found in their block, which ends the payout once it is final', async () => {
    await signUnsent(open, to);
    const restore = await stage.backup();
    await stage.pay(70_000);
    await restore();
    const unheld = { outlook: 'open', inBlock: null, txId: expect.any(String) };
    expect(await look()).toMatchObject({ open: [unheld], stopped: [] });
    await stage.mine(1);
    const inBlock = { status: 'succeeded', number: expect.any(Number) };
    expect(await look()).toMatchObject({ open: [{ outlook: 'held', inBlock }], stopped: [] });
    await stage.mine(8);
    expect(await look()).toEqual({ at: null, open: [], stopped: [] });
    expect(await statusOf('pay_1')).toBe('PAID');
    expect(await stage.held(to)).toBe(1_000n);
  });

  it('are not taken for dead on a chain that is halted', async () => {
    await signUnsent(open, to);
    await stage.database.transact((tx) => tx.write("UPDATE chain_cursors SET halted_reason = 'a fork'", []));
    await expect(look()).rejects.toThrow('is halted: a fork');
    expect(await stage.row('pay_1')).toMatchObject({ state: 'signed' });
  });
});

it('builds expired bytes of a restored backup anew on Tron while the payer is off; what paid instead ends the payout', async () => {
  const to = `41${'5c'.repeat(20)}`;
  await signUnsent(openTron, to);
  const restore = await stage.backup();
  stage.nowMs += 400_000;
  await stage.mine(8);
  await stage.pay(70_000);
  await stage.mine(8);
  expect(await statusOf('pay_1')).toBe('PAID');
  await restore();
  await stage.mine(1);
  const [outflow] = await listOutflows(stage.database.reader, 9);
  if (outflow === undefined) throw new Error('no outflow was found');
  expect(await endBy('pay_1', outflow.transfer)).toBe('on-its-way');
  expect(await look()).toMatchObject({ open: [{ outlook: 'expired', waitsAgain: true }], stopped: [] });
  expect(await endBy('pay_1', outflow.transfer)).toBe('moved');
  expect(await statusOf('pay_1')).toBe('PAID');
  expect(await stage.held(to)).toBe(1_000n);
});
