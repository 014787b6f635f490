// Fees, bandwidth, energy and stake, seen through TronWeb.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTronWebChain, type TronWebChain } from '../testing/tronweb-chain.ts';

const usdtAddress = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const dayMs = 86_400_000;

let chain: TronWebChain;
beforeEach(async () => {
  chain = await startTronWebChain();
});
afterEach(() => chain.dev.stop());

type Unsigned = Parameters<TronWebChain['tronWeb']['trx']['sign']>[0];

/** Signs with the first account, sends, mines and gives the receipt. */
async function run(built: unknown) {
  const { tronWeb, dev } = chain;
  const signed = await tronWeb.trx.sign(built as Exclude<Unsigned, string>);
  const sent = await tronWeb.trx.sendRawTransaction(signed);
  expect(sent).toMatchObject({ result: true });
  await dev.mine();
  return tronWeb.trx.getUnconfirmedTransactionInfo(sent.txid);
}

const resourcesOf = (address: string) => chain.tronWeb.trx.getAccountResources(address);

function deployUsdt() {
  const owner = chain.addresses[0]!;
  return chain.dev.deployToken({
    owner,
    name: 'Tether USD',
    symbol: 'USDT',
    decimals: 6,
    supply: 10n ** 15n,
    like: 'usdt',
    address: usdtAddress,
  });
}

async function sendUsdt(to: string, feeLimit = 100_000_000) {
  const parameters = [
    { type: 'address', value: to },
    { type: 'uint256', value: 1_000_000 },
  ];
  const { tronWeb } = chain;
  const built = await tronWeb.transactionBuilder.triggerSmartContract(
    usdtAddress,
    'transfer(address,uint256)',
    { feeLimit, txLocal: true },
    parameters,
  );
  return run(built.transaction);
}

describe('bandwidth', () => {
  it('is free until 600 bytes a day are used, then the whole transaction is burned', async () => {
    const { tronWeb, addresses } = chain;
    const receipts = [];
    for (const sun of [1, 2, 3])
      receipts.push((await run(await tronWeb.transactionBuilder.sendTrx(addresses[1]!, sun))).receipt);
    expect(receipts).toEqual([{ net_usage: 265 }, { net_usage: 265 }, { net_fee: 265_000 }]);
  });

  it('grows back within a day', async () => {
    const { dev, addresses, tronWeb } = chain;
    await run(await tronWeb.transactionBuilder.sendTrx(addresses[1]!, 1));
    expect((await resourcesOf(addresses[0]!)).freeNetUsed).toBe(265);
    dev.increaseTime(dayMs / 2);
    await dev.mine();
    expect((await resourcesOf(addresses[0]!)).freeNetUsed).toBe(132);
    dev.increaseTime(dayMs / 2);
    await dev.mine();
    expect(await resourcesOf(addresses[0]!)).not.toHaveProperty('freeNetUsed');
  });

  it('of an activation is 0.1 TRX, with 1 TRX more for the account', async () => {
    const { tronWeb } = chain;
    const fresh = (await tronWeb.createAccount()).address.base58;
    expect(await chain.post('/wallet/getaccount', { address: fresh, visible: true })).toEqual({});
    const info = await run(await tronWeb.transactionBuilder.sendTrx(fresh, 5));
    expect(info).toMatchObject({ fee: 1_100_000, receipt: { net_fee: 100_000 } });
    const other = (await tronWeb.createAccount()).address.base58;
    expect(await run(await tronWeb.transactionBuilder.createAccount(other))).toMatchObject({
      fee: 1_100_000,
    });
    expect(await chain.post('/wallet/getaccount', { address: other, visible: true })).not.toHaveProperty(
      'balance',
    );
  });

  it('of an activation comes from stake where there is enough', async () => {
    const { tronWeb } = chain;
    await run(await tronWeb.transactionBuilder.freezeBalanceV2(1_000_000_000, 'BANDWIDTH'));
    const info = await run(
      await tronWeb.transactionBuilder.sendTrx((await tronWeb.createAccount()).address.base58, 5),
    );
    expect(info).toMatchObject({ fee: 1_000_000, receipt: { net_usage: 265 } });
  });

  it('a memo costs a TRX more', async () => {
    const { tronWeb, addresses } = chain;
    const built = await tronWeb.transactionBuilder.addUpdateData(
      await tronWeb.transactionBuilder.sendTrx(addresses[1]!, 1),
      'order 7',
      'utf8',
    );
    const info = await run(built);
    expect(info.fee).toBe(1_000_000);
    const tx = await tronWeb.trx.getTransaction(info.id);
    expect(tx.raw_data.data).toBe(Buffer.from('order 7').toString('hex'));
  });
});

describe('energy', () => {
  it('of USDT is what it is on mainnet: 130,285 for a new holder, 64,285 for an old one', async () => {
    await deployUsdt();
    const first = await sendUsdt(chain.addresses[1]!);
    expect(first).toMatchObject({
      receipt: { energy_usage_total: 130_285, energy_fee: 13_028_500, result: 'SUCCESS' },
    });
    expect(first.contractResult).toEqual(['0'.repeat(64)]);
    expect((await sendUsdt(chain.addresses[1]!)).receipt).toMatchObject({
      energy_usage_total: 64_285,
      energy_fee: 6_428_500,
    });
    const estimate = await chain.tronWeb.transactionBuilder.estimateEnergy(
      usdtAddress,
      'transfer(address,uint256)',
      {},
      [
        { type: 'address', value: chain.addresses[2]! },
        { type: 'uint256', value: 5 },
      ],
    );
    // The fee limit that the node's search finds, a sixteenth above the energy used.
    expect(estimate.energy_required).toBe(138_428);
  });

  it('beyond the fee limit ends OUT_OF_ENERGY: the limit is lost, the transfer does not happen', async () => {
    await deployUsdt();
    const info = await sendUsdt(chain.addresses[1]!, 10_000_000);
    expect(info).toMatchObject({
      result: 'FAILED',
      receipt: { result: 'OUT_OF_ENERGY', energy_usage_total: 100_000, energy_fee: 10_000_000 },
    });
    expect(info).not.toHaveProperty('log');
    const tx = await chain.tronWeb.trx.getTransaction(info.id);
    expect(tx.ret).toEqual([{ contractRet: 'OUT_OF_ENERGY' }]);
    const token = await chain.tronWeb.contract().at(usdtAddress);
    expect(await token.balanceOf!(chain.addresses[1]!).call()).toBe(0n);
  });

  it('comes from stake first, and the fee limit caps stake too', async () => {
    const { tronWeb, addresses } = chain;
    await deployUsdt();
    await run(await tronWeb.transactionBuilder.freezeBalanceV2(20_000_000_000, 'ENERGY'));
    const limit = (await resourcesOf(addresses[0]!)).EnergyLimit;
    expect(limit).toBeGreaterThan(185_000);
    const info = await sendUsdt(addresses[1]!);
    expect(info.receipt).toMatchObject({ energy_usage: 130_285, energy_usage_total: 130_285 });
    expect(info.receipt).not.toHaveProperty('energy_fee');
    expect((await resourcesOf(addresses[0]!)).EnergyUsed).toBe(130_285);
    expect(await sendUsdt(addresses[2]!, 1_000_000)).toMatchObject({
      receipt: { result: 'OUT_OF_ENERGY', energy_usage: 10_000 },
    });
  });
});

describe('stake', () => {
  it('lent to another account gives it energy, and comes back with what it used', async () => {
    const { tronWeb, addresses, dev } = chain;
    const { transactionBuilder } = tronWeb;
    const [owner, receiver] = [addresses[0]!, addresses[1]!];
    await run(await transactionBuilder.freezeBalanceV2(20_000_000_000, 'ENERGY'));
    const before = (await resourcesOf(owner)).EnergyLimit;
    const most = await tronWeb.trx.getCanDelegatedMaxSize(owner, 'ENERGY', { confirmed: false });
    expect(most.max_size).toBe(20_000_000_000);
    await run(await transactionBuilder.delegateResource(15_000_000_000, receiver, 'ENERGY'));
    const lent = (await resourcesOf(receiver)).EnergyLimit;
    expect(lent).toBeGreaterThan(142_000);
    expect((await resourcesOf(owner)).EnergyLimit).toBeLessThan(before);
    expect(await tronWeb.trx.getDelegatedResourceV2(owner, receiver, { confirmed: false })).toMatchObject({
      delegatedResource: [{ frozen_balance_for_energy: 15_000_000_000 }],
    });
    expect(
      await chain.post('/wallet/getdelegatedresourceaccountindexv2', { value: owner, visible: true }),
    ).toEqual({
      account: owner,
      toAccounts: [receiver],
    });
    await deployUsdt();
    const token = await tronWeb.contract().at(usdtAddress);
    await token.mint!(receiver, 10).send({ feeLimit: 1_000_000_000 });
    await dev.mine();
    tronWeb.setPrivateKey(dev.accounts[1]!.privateKey);
    await token.transfer!(owner, 10).send();
    await dev.mine();
    tronWeb.setPrivateKey(dev.accounts[0]!.privateKey);
    const used = (await resourcesOf(receiver)).EnergyUsed;
    expect(used).toBe(64_285);
    await run(await transactionBuilder.undelegateResource(15_000_000_000, receiver, 'ENERGY'));
    expect(await resourcesOf(receiver)).not.toHaveProperty('EnergyLimit');
    expect((await resourcesOf(owner)).EnergyLimit).toBe(before);
    expect((await resourcesOf(owner)).EnergyUsed).toBeGreaterThanOrEqual(64_280);
    expect(await tronWeb.trx.getDelegatedResourceV2(owner, receiver, { confirmed: false })).toEqual({});
  });

  it('with a lock cannot be taken back before it ends, and never goes to nobody or a contract', async () => {
    const { tronWeb, addresses, dev } = chain;
    const { transactionBuilder } = tronWeb;
    await run(await transactionBuilder.freezeBalanceV2(5_000_000, 'BANDWIDTH'));
    await run(
      await transactionBuilder.delegateResource(
        2_000_000,
        addresses[1]!,
        'BANDWIDTH',
        addresses[0],
        true,
        1000,
      ),
    );
    const early = await tronWeb.trx.sign(
      await transactionBuilder.undelegateResource(2_000_000, addresses[1]!, 'BANDWIDTH'),
    );
    expect(await tronWeb.trx.sendRawTransaction(early)).toMatchObject({ code: 'CONTRACT_VALIDATE_ERROR' });
    dev.increaseTime(1001 * 3000);
    await dev.mine();
    await run(await transactionBuilder.undelegateResource(2_000_000, addresses[1]!, 'BANDWIDTH'));
    const usdt = await deployUsdt();
    for (const receiver of [usdt, (await tronWeb.createAccount()).address.base58]) {
      const built = await transactionBuilder.delegateResource(1_000_000, receiver, 'BANDWIDTH');
      expect(await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(built))).toMatchObject({
        code: 'CONTRACT_VALIDATE_ERROR',
      });
    }
  });

  it('that is locked stands apart from what is not, and joins it when the lock ends', async () => {
    const { tronWeb, addresses, dev } = chain;
    const { transactionBuilder } = tronWeb;
    const [owner, receiver] = [addresses[0]!, addresses[1]!];
    const lend = (sun: number, ...lock: readonly (boolean | number)[]) =>
      transactionBuilder.delegateResource(sun, receiver, 'ENERGY', owner, ...(lock as [boolean, number]));
    const amounts = async () => {
      const shown = await tronWeb.trx.getDelegatedResourceV2(owner, receiver, { confirmed: false });
      return (shown.delegatedResource ?? []).map((one) => [
        one.frozen_balance_for_energy,
        (one.expire_time_for_energy ?? 0) > 0,
      ]);
    };
    await run(await transactionBuilder.freezeBalanceV2(600_000_000, 'ENERGY'));
    await run(await lend(500_000_000));
    await run(await lend(10_000_000, true, 1000));
    expect(await amounts()).toEqual([
      [500_000_000, false],
      [10_000_000, true],
    ]);
    const shorter = await tronWeb.trx.sign(await lend(1_000_000, true, 10));
    expect(await tronWeb.trx.sendRawTransaction(shorter)).toMatchObject({ code: 'CONTRACT_VALIDATE_ERROR' });
    await run(await transactionBuilder.undelegateResource(500_000_000, receiver, 'ENERGY'));
    expect(await amounts()).toEqual([[10_000_000, true]]);
    await run(await lend(2_000_000));
    dev.increaseTime(1001 * 3000);
    await dev.mine();
    await run(await transactionBuilder.undelegateResource(11_000_000, receiver, 'ENERGY'));
    expect(await amounts()).toEqual([[1_000_000, false]]);
    const { dev: _, post } = chain;
    expect(await post('/wallet/getdelegatedresourceaccountindexv2', { value: owner, visible: true })).toEqual(
      {
        account: owner,
        toAccounts: [receiver],
      },
    );
  });

  it('is thawed in 14 days, or goes on when that is cancelled', async () => {
    const { tronWeb, addresses, dev } = chain;
    const { transactionBuilder } = tronWeb;
    await run(await transactionBuilder.freezeBalanceV2(9_000_000, 'ENERGY'));
    await run(await transactionBuilder.unfreezeBalanceV2(4_000_000, 'ENERGY'));
    expect((await tronWeb.trx.getAccount(addresses[0])).unfrozenV2 ?? []).toEqual([]);
    expect(await chain.post('/wallet/getaccount', { address: addresses[0], visible: true })).toMatchObject({
      frozenV2: [{}, { type: 'ENERGY', amount: 5_000_000 }, { type: 'TRON_POWER' }],
      unfrozenV2: [{ type: 'ENERGY', unfreeze_amount: 4_000_000 }],
    });
    const cancelled = await run(await transactionBuilder.cancelUnfreezeBalanceV2());
    expect(cancelled).toMatchObject({
      cancel_unfreezeV2_amount: [
        { key: 'ENERGY', value: 4_000_000 },
        { key: 'TRON_POWER', value: 0 },
        { key: 'BANDWIDTH', value: 0 },
      ],
    });
    await run(await transactionBuilder.unfreezeBalanceV2(9_000_000, 'ENERGY'));
    dev.increaseTime(14 * dayMs);
    await dev.mine();
    const withdrawn = await run(await transactionBuilder.withdrawExpireUnfreeze());
    expect(withdrawn).toMatchObject({ withdraw_expire_amount: 9_000_000 });
  });

  it('gives about 9.5 energy a day for a TRX, as on mainnet', async () => {
    const { tronWeb, addresses } = chain;
    await run(await tronWeb.transactionBuilder.freezeBalanceV2(100_000_000, 'ENERGY'));
    expect((await resourcesOf(addresses[0]!)).EnergyLimit).toBe(948);
  });
});
