// Energy of an operator's stake on a real Tron dev chain: delegated for a collection, and always taken back.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { amountOf } from '@ducat/core/money/amount';
import { tokenCode } from '@ducat/testkit/chains/evm/evm-contracts';
import { startTronProxy, type TronProxy } from '@ducat/testkit/chains/tron/tron-proxy';
import { TronPayer, toTron } from '@ducat/testkit/chains/tron/tron-payer';
import { testCurrency } from '@ducat/testkit/chains/test-currencies';
import { readStakeLook } from '@ducat/gateway/roles/collector/stake/stake-look';
import { CollectStage } from '@ducat/testkit/payer/collect-stage';
import { Killed, type PayStage } from '@ducat/testkit/payer/pay-stage';
import { mintOnTron, openTronPayStage } from '@ducat/testkit/payer/tron-pay-stage';
import { contractSchemas } from '@ducat/tron-dev/protocol/contracts';
import { make } from '@ducat/tron-dev/protocol/schema';

let node: TronPayer;
let proxies: readonly TronProxy[];
let stage: PayStage;
let collecting: CollectStage;
let contract: string;

const trx = 1_000_000n;
const native = { ...testCurrency(1000, null), rateAsset: 'TRX' };
const hour = 3_600_000;
/** The bits of contract types 57 and 58 (delegate and undelegate) in a permission. */
const delegating = `${'00'.repeat(7)}06${'00'.repeat(24)}`;

beforeAll(async () => {
  node = await TronPayer.start();
  contract = await node.deploy(tokenCode());
  proxies = await Promise.all([startTronProxy(node.dev.fullUrl), startTronProxy(node.dev.fullUrl)]);
  const token = { ...testCurrency(1001, toTron(contract)), rateAsset: 'USDT' };
  stage = await openTronPayStage(node, {
    native,
    token,
    rpcUrls: proxies.map(({ url }) => url),
    fund: async (wallet) => {
      await node.sendAndMine({ to: `0x${wallet.slice(2)}`, value: 10_000n * trx });
      await stakeAndPermit(wallet);
    },
  });
  collecting = await CollectStage.open(stage);
  collecting.policy = { ...collecting.policy, staker: staker() };
  await settle();
});
afterEach(async () => {
  for (const proxy of proxies) proxy.lie();
  stage.refusal = null;
  expect(await stage.troubles()).toEqual([]);
});
afterAll(async () => {
  await stage?.close();
  await Promise.all((proxies ?? []).map((proxy) => proxy.stop()));
  await node?.dev.stop();
});

const settle = () => stage.mine(4);
const staker = (permission = 2) => ({ address: toTron(node.address), permission });

/** The set-up of the staker's account, which an operator does once. */
async function stakeAndPermit(signer: string): Promise<void> {
  const stake = {
    owner_address: toTron(node.address),
    frozen_balance: 100_000n * trx,
    resource: 'ENERGY',
  } as const;
  await node.send({
    name: 'FreezeBalanceV2Contract',
    value: make(contractSchemas.FreezeBalanceV2Contract, stake),
  });
  await permit(signer);
}

/** Permits this key, and no other, to delegate energy and to take it back. */
async function permit(signer: string): Promise<void> {
  const owner_address = toTron(node.address);
  const key = (address: string) => [{ address, weight: 1n }];
  const update = {
    owner_address,
    owner: { type: 'Owner', permission_name: 'owner', threshold: 1n, keys: key(owner_address) },
    actives: [
      {
        type: 'Active',
        permission_name: 'ducat',
        threshold: 1n,
        operations: delegating,
        keys: key(signer),
      },
    ],
  };
  await node.send({
    name: 'AccountPermissionUpdateContract',
    value: make(contractSchemas.AccountPermissionUpdateContract, update as never),
  });
  await node.dev.mine(1);
}

/** A new deposit address with a final payment of tokens. */
async function paidAddress(): Promise<string> {
  const address = await collecting.deposit();
  await mintOnTron(node, contract, address, 50_000_000_000n);
  await settle();
  return address;
}

/** One round of collector and payer over everything that is due. */
async function live(): Promise<void> {
  await collecting.collect(11_000);
  await stage.pay(1_000);
}

/** One round, and blocks until its transactions are final. */
async function goOn(): Promise<void> {
  await live();
  await settle();
}

async function goOnUntil(isDone: () => Promise<boolean>): Promise<void> {
  for (let steps = 0; steps < 12; steps++) {
    if (await isDone()) return;
    await goOn();
  }
  throw new Error('it is never done');
}

/** Sun that the chain has delegated to an address. */
async function delegatedTo(address: string): Promise<bigint> {
  const asked = { fromAddress: toTron(node.address), toAddress: address };
  const response = await fetch(`${node.dev.fullUrl}/wallet/getdelegatedresourcev2`, {
    method: 'POST',
    body: JSON.stringify(asked),
  });
  const [, sun = '0'] = /"frozen_balance_for_energy": ?(\d+)/.exec(await response.text()) ?? [];
  return BigInt(sun);
}

/** Delegates by the staker's own key, not by the gateway's. */
async function delegateByHand(to: string, balance: bigint, lock = false): Promise<void> {
  const asked = {
    owner_address: toTron(node.address),
    receiver_address: to,
    balance,
    resource: 'ENERGY',
    lock,
  };
  await node.send({
    name: 'DelegateResourceContract',
    value: make(contractSchemas.DelegateResourceContract, asked as never),
  });
}

const look = async () => {
  const { writer, database, nowMs } = stage;
  const found = await readStakeLook({ writer, reader: database.reader, staker: staker(), nowMs });
  if (found === null) throw new Error('there is no stake');
  return found;
};

/** The outgoing transactions for an address's collections, the oldest first. */
const outgoing = (address: string) =>
  stage.database.reader.read<{ readonly action: string; readonly state: string }>(
    `SELECT action, state FROM outgoing_transactions o JOIN senders USING (sender_id) JOIN addresses d USING (address_id)
     WHERE o.to_address = $1 OR d.address = $1 ORDER BY o.created_at_ms, o.outgoing_id`,
    [address],
  );

const isBack = async (address: string): Promise<boolean> => {
  const rows = await stage.database.reader.read(
    `SELECT FROM collections JOIN addresses USING (address_id)
     WHERE address = $1 AND ended_at_ms IS NOT NULL AND return_at_ms IS NULL`,
    [address],
  );
  return rows.length > 0;
};

describe('a collection by delegation', () => {
  // hits mark: a-delegation-moves-nothing
  it('activates, delegates, moves the token and takes the energy back, and burns nothing else', async () => {
    const address = await paidAddress();
    const gas = await stage.held(stage.wallet, native);
    await collecting.collect(collecting.policy.windowMs);
    await goOnUntil(() => isBack(address));
    expect(await collecting.collections(address)).toEqual([
      { method: 'delegated', state: 'collected', units: '49999999999' },
    ]);
    expect(await stage.held(collecting.wallet)).toBe(49_999_999_999n);
    expect(await stage.held(address, native)).toBe(1n);
    expect(gas - (await stage.held(stage.wallet, native))).toBe((11n * trx) / 10n + 1n);
    expect(await outgoing(address)).toEqual([
      { action: 'transfer', state: 'succeeded' },
      { action: 'delegate', state: 'succeeded' },
      { action: 'transfer', state: 'succeeded' },
      { action: 'undelegate', state: 'succeeded' },
    ]);
    expect(await delegatedTo(address)).toBe(0n);
    expect(collecting.events.slice(-2)).toEqual(['collected', 'returned']);
  });

  // hits mark: energy-is-taken-back-once
  it('happens once wherever the process dies, and nothing stays delegated', async () => {
    const address = await paidAddress();
    stage.nowMs += collecting.policy.windowMs;
    for (let lives = 0; !(await isBack(address)); lives++) {
      if (lives > 60) throw new Error('it is never done');
      stage.lives = lives;
      const death = await live().catch((error: unknown) => error);
      stage.restart();
      if (death !== undefined) expect(death).toBeInstanceOf(Killed);
      await stage.mine(1);
    }
    const actions = (await outgoing(address)).filter(({ state }) => state === 'succeeded');
    expect(actions.map(({ action }) => action)).toEqual(['transfer', 'delegate', 'transfer', 'undelegate']);
    expect(await delegatedTo(address)).toBe(0n);
    expect(await stage.held(address)).toBe(1n);
  });

  // hits mark: burnt-after-a-failure
  it('is taken back where the transfer never came, and the next attempt burns', async () => {
    const address = await paidAddress();
    await collecting.collect(collecting.policy.windowMs);
    await goOnUntil(async () => (await delegatedTo(address)) > 0n);
    stage.refusal = 'limit-hour';
    await goOn();
    await goOn();
    stage.nowMs += hour;
    await collecting.collect(1_000);
    expect(await collecting.collections(address)).toMatchObject([
      { method: 'delegated', state: 'withdrawn' },
    ]);
    stage.refusal = null;
    await goOnUntil(() => isBack(address));
    expect(await delegatedTo(address)).toBe(0n);
    await collecting.collect(hour);
    expect(await collecting.collections(address)).toMatchObject([{}, { method: 'funded' }]);
  });

  it('ends where the staker took energy and permission back, after an hour, and not by what one provider says', async () => {
    const address = await paidAddress();
    await collecting.collect(collecting.policy.windowMs);
    await goOnUntil(async () => (await delegatedTo(address)) > 0n);
    const balance = await delegatedTo(address);
    stage.refusal = 'limit-hour';
    await goOn();
    stage.nowMs += hour;
    proxies[0]?.lie((call, answer) => (call.endsWith('getdelegatedresourcev2') ? {} : answer));
    for (let looks = 0; looks < 3; looks++) await collecting.collect(hour);
    expect(await isBack(address)).toBe(false);
    proxies[0]?.lie();
    const taken = {
      owner_address: toTron(node.address),
      receiver_address: address,
      balance,
      resource: 'ENERGY',
    };
    await node.send({
      name: 'UnDelegateResourceContract',
      value: make(contractSchemas.UnDelegateResourceContract, taken as never),
    });
    // hits mark: locked-energy-is-none-of-ours
    await delegateByHand(address, balance, true);
    // An operator who gives up the stake also revokes the permission. Then energy cannot be taken back, and need not be.
    await permit(toTron(node.address));
    await settle();
    await collecting.collect(hour);
    expect(await isBack(address)).toBe(false);
    await collecting.collect(hour);
    expect(await isBack(address)).toBe(true);
    expect(collecting.events).toContain('taken');
    await permit(stage.wallet);
  });

  it('is none where a provider shows no stake, or the permission is another', async () => {
    const address = await paidAddress();
    proxies[0]?.lie((call, answer) => (call.endsWith('getcandelegatedmaxsize') ? {} : answer));
    await collecting.collect(collecting.policy.windowMs);
    expect(await collecting.collections(address)).toMatchObject([{ method: 'funded' }]);
    proxies[0]?.lie();
    const key = { staker: staker(), signer: stage.wallet };
    expect(await stage.writer.stakeOf(key)).toMatchObject({ isPermitted: true });
    expect(await stage.writer.stakeOf({ ...key, staker: staker(3) })).toMatchObject({ isPermitted: false });
    expect(await stage.writer.stakeOf({ ...key, signer: address })).toMatchObject({ isPermitted: false });
  });
});

describe('energy that the key of the stake delegated by hand', () => {
  it('pays for the payouts of a wallet, and stays there', async () => {
    const { wallet } = collecting;
    await node.sendAndMine({ to: `0x${wallet.slice(2)}`, value: 50n * trx });
    await delegateByHand(wallet, 20_000n * trx);
    await settle();
    const to = `41${'7a'.repeat(20)}`;
    const [coin, delegated] = [await stage.held(wallet, native), await delegatedTo(wallet)];
    const id = await stage.request(to, 1_000n, { from: wallet, feeCap: 30n * trx });
    await stage.pay(1_000);
    await settle();
    expect(await stage.row(id)).toMatchObject({ state: 'succeeded' });
    expect([await stage.held(to), await stage.held(wallet, native)]).toEqual([1_000n, coin]);
    for (let hours = 0; hours < 3; hours++) await collecting.watchStake(hour);
    await stage.pay();
    expect([delegated, await delegatedTo(wallet)]).toEqual([20_000n * trx, 20_000n * trx]);
    const { atWallets, stray } = await look();
    expect([atWallets, stray]).toEqual([amountOf(1000, 20_000n * trx), amountOf(1000, 0n)]);
  });

  // hits mark: only-strays-are-taken-back
  it('is taken back from a deposit address after an hour, and again where it could not be signed', async () => {
    const address = await paidAddress();
    await node.sendAndMine({ to: `0x${address.slice(2)}`, value: 1n });
    await delegateByHand(address, 100n * trx);
    await settle();
    const asked = async () => (await outgoing(address)).map(({ action, state }) => `${action} ${state}`);
    await collecting.watchStake();
    await collecting.watchStake(hour - 1_000);
    expect([await asked(), (await look()).stray]).toEqual([[], amountOf(1000, 100n * trx)]);
    stage.refusal = 'limit-hour';
    await collecting.watchStake(1_000);
    await stage.pay(1_000);
    // No collection begins now, because taking the energy back would take that collection's energy.
    await collecting.collect(collecting.policy.windowMs);
    expect(await collecting.collections(address)).toEqual([]);
    await collecting.watchStake(hour);
    expect(await asked()).toEqual(['undelegate cancelled']);
    await collecting.watchStake();
    await collecting.watchStake(hour);
    expect(await asked()).toEqual(['undelegate cancelled', 'undelegate waiting']);
    stage.refusal = null;
    await settle();
    await stage.pay(1_000);
    await settle();
    expect(await asked()).toEqual(['undelegate cancelled', 'undelegate succeeded']);
    expect(await delegatedTo(address)).toBe(0n);
    for (let hours = 0; hours < 3; hours++) await collecting.watchStake(hour);
    expect(await asked()).toHaveLength(2);
  });

  it('is not asked for where one provider alone shows it', async () => {
    const address = await paidAddress();
    await node.sendAndMine({ to: `0x${address.slice(2)}`, value: 1n });
    await settle();
    const row = { from: toTron(node.address), to: address, frozen_balance_for_energy: trx };
    proxies[0]?.lie((call, answer) => {
      if (call.endsWith('accountindexv2')) return { ...(answer as object), toAccounts: [address] };
      return call.endsWith('getdelegatedresourcev2') ? { delegatedResource: [row] } : answer;
    });
    for (let looks = 0; looks < 3; looks++) {
      await collecting.watchStake(hour);
      await stage.pay(1_000);
    }
    proxies[0]?.lie();
    expect(await outgoing(address)).toEqual([]);
  });
});

it('is shown with what it brings in a day, what collections took, and what nobody here delegated', async () => {
  const owner_address = toTron(node.address);
  await node.send({
    name: 'FreezeBalanceV2Contract',
    value: make(contractSchemas.FreezeBalanceV2Contract, {
      owner_address,
      frozen_balance: 500n * trx,
      resource: 'BANDWIDTH',
    }),
  });
  await node.send({
    name: 'UnfreezeBalanceV2Contract',
    value: make(contractSchemas.UnfreezeBalanceV2Contract, {
      owner_address,
      unfreeze_balance: 1_000n * trx,
      resource: 'ENERGY',
    }),
  });
  await settle();
  const { report, runway, ...shown } = await look();
  const sun = (units: bigint) => amountOf(1000, units);
  expect(report).toMatchObject({
    staked: sun(99_000n * trx),
    stakedForBandwidth: sun(500n * trx),
    unfreezing: sun(1_000n * trx),
    energyPrice: sun(100n),
    isPermitted: true,
  });
  expect(report.thawsAtMs).not.toBeNull();
  // Only energy that the staker's own key delegated before is still delegated.
  expect(shown).toMatchObject({ collections: 5n, collectionsByStake: 2n, payouts: 0n, booked: sun(0n) });
  expect([shown.atWallets, shown.stray]).toEqual([sun(20_000n * trx), sun(0n)]);
  const { transfersADay, coveragePercent, burntADay } = runway;
  expect([transfersADay! > 10n, coveragePercent! > 1_000n, burntADay]).toEqual([true, true, sun(0n)]);
});
