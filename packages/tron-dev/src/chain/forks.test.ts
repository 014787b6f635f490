// Two branches and a switch: which transfers move, which are dropped, and that none is paid twice.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTronWebChain, type TronWebChain } from '../testing/tronweb-chain.ts';

let chain: TronWebChain;
beforeEach(async () => {
  chain = await startTronWebChain();
});
afterEach(() => chain.dev.stop());

const balanceOf = (address: string) => chain.tronWeb.trx.getUnconfirmedBalance(address);

async function pay(sun: number): Promise<string> {
  const { txid } = await chain.tronWeb.trx.sendTransaction(chain.addresses[1]!, sun);
  return txid;
}

describe('forks', () => {
  it('a reorg that includes its orphans moves a payment into another block', async () => {
    const { dev, tronWeb, addresses } = chain;
    const before = await balanceOf(addresses[1]!);
    const txid = await pay(5);
    const [old] = await dev.mine();
    await dev.mine(2);
    const [first] = await dev.reorg({ depth: 3, orphans: 'include' });
    expect(first!.transactions).toEqual([txid]);
    expect(first!.number).toBe(old!.number);
    expect(first!.id).not.toBe(old!.id);
    expect(dev.head().number).toBe(old!.number + 3);
    expect(await chain.post('/wallet/getblockbyid', { value: old!.id })).toEqual({});
    expect((await tronWeb.trx.getUnconfirmedTransactionInfo(txid)).blockNumber).toBe(first!.number);
    expect((await balanceOf(addresses[1]!)) - before).toBe(5);
  });

  it('a reorg that drops its orphans takes a payment back for good', async () => {
    const { dev, tronWeb, addresses } = chain;
    const before = await balanceOf(addresses[1]!);
    const txid = await pay(6);
    await dev.mine();
    await dev.reorg({ depth: 1, orphans: 'drop' });
    await dev.mine(3);
    expect(await tronWeb.trx.getUnconfirmedTransactionInfo(txid)).toEqual({});
    expect(await balanceOf(addresses[1]!)).toBe(before);
  });

  it('orphans go back to the pool unless asked otherwise, as java-tron does, and return in the next block', async () => {
    const { dev } = chain;
    const txid = await pay(7);
    await dev.mine();
    await dev.reorg({ depth: 1 });
    expect(dev.pool()).toEqual([txid]);
    const [next] = await dev.mine();
    expect(next!.transactions).toEqual([txid]);
  });

  it('an orphaned reference block kills a transaction', async () => {
    const { dev } = chain;
    await dev.mine();
    const txid = await pay(8);
    await dev.reorg({ depth: 1 });
    const [next] = await dev.mine();
    expect(next!.transactions).toEqual([]);
    expect(dev.pool()).not.toContain(txid);
  });

  it('two branches live side by side and can be switched to and fro', async () => {
    const { dev } = chain;
    const txid = await pay(9);
    const [a] = await dev.mine();
    await dev.openBranch('b', a!.number - 1);
    const [b1] = await dev.mineOn('b', 2);
    expect(dev.head().id).toBe(a!.id);
    await dev.switchTo('b', { drop: [txid] });
    expect(dev.head().number).toBe(a!.number + 1);
    expect(await chain.post('/wallet/getblockbynum', { num: a!.number })).toMatchObject({ blockID: b1!.id });
    expect(await chain.post('/wallet/gettransactionbyid', { value: txid })).toEqual({});
    await dev.switchTo('b');
    expect(dev.head().id).toBe(a!.id);
    expect(await chain.post('/wallet/gettransactionbyid', { value: txid })).toMatchObject({ txID: txid });
  });

  it('a branch can hold a rival of a payment, so that the payment never becomes valid again', async () => {
    const { dev, tronWeb, addresses } = chain;
    const poor = await tronWeb.createAccount();
    await dev.setBalance(poor.address.base58, 100n);
    await dev.mine();
    const at = dev.head().number;
    const send = async (to: string) => {
      const built = await tronWeb.transactionBuilder.sendTrx(to, 100, poor.address.base58);
      return (await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(built, poor.privateKey))).txid;
    };
    const rival = await send(addresses[2]!);
    await dev.openBranch('rival', at);
    await dev.mineOn('rival', 2, [rival]);
    await dev.dropTransaction(rival);
    const paid = await send(addresses[1]!);
    await dev.mine();
    await dev.switchTo('rival');
    await dev.mine();
    expect(await tronWeb.trx.getUnconfirmedTransactionInfo(rival)).toMatchObject({ id: rival });
    expect(await tronWeb.trx.getUnconfirmedTransactionInfo(paid)).toEqual({});
  });

  it('refuses to leave the line below its solid block unless asked to', async () => {
    const { dev } = chain;
    await dev.mine(25);
    await expect(dev.reorg({ depth: 20 })).rejects.toThrow(/solid/);
    const head = dev.head().number;
    await dev.reorg({ depth: 20, belowSolid: true });
    expect(dev.head().number).toBe(head + 1);
  });
});

describe('pool, time and snapshots', () => {
  it('a held transaction stays out of blocks until it is released; a dropped one is forgotten', async () => {
    const { dev } = chain;
    const [held, dropped] = [await pay(1), await pay(2)];
    await dev.holdTransaction(held);
    await dev.dropTransaction(dropped);
    expect((await dev.mine())[0]!.transactions).toEqual([]);
    await dev.holdTransaction(held, false);
    expect((await dev.mine())[0]!.transactions).toEqual([held]);
  });

  it('a transaction that expired while it was held never enters a block', async () => {
    const { dev } = chain;
    const txid = await pay(3);
    await dev.holdTransaction(txid);
    dev.increaseTime(61_000);
    await dev.mine();
    await dev.holdTransaction(txid, false);
    expect((await dev.mine())[0]!.transactions).toEqual([]);
    expect(dev.pool()).toEqual([]);
  });

  it('a snapshot keeps blocks, balances and pool, and can be gone back to more than once', async () => {
    const { dev, addresses } = chain;
    const waiting = await pay(4);
    const head = dev.head().id;
    const before = await balanceOf(addresses[3]!);
    const snapshot = dev.snapshot();
    for (let i = 0; i < 2; i += 1) {
      await dev.mine(3);
      await dev.setBalance(addresses[3]!, 1n);
      expect(await balanceOf(addresses[3]!)).toBe(1);
      await dev.revert(snapshot);
      expect(dev.head().id).toBe(head);
      expect(dev.pool()).toEqual([waiting]);
      expect(await balanceOf(addresses[3]!)).toBe(before);
    }
  });

  it('with a genesis time the clock moves with blocks alone, and two chains are the same', async () => {
    const options = { genesisTimestamp: 1_700_000_000_000 };
    const [a, b] = await Promise.all([startTronWebChain(options), startTronWebChain(options)]);
    expect(a.dev.head()).toEqual(b.dev.head());
    expect(a.dev.head().timestamp).toBe(1_700_000_006_000);
    await a.dev.stop();
    await b.dev.stop();
  });
});
