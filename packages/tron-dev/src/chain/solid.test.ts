// What each of the two views shows, and when a block becomes solid.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { postJson, startTronWebChain, type TronWebChain } from '../testing/tronweb-chain.ts';

let chain: TronWebChain;
beforeEach(async () => {
  chain = await startTronWebChain();
});
afterEach(() => chain.dev.stop());

describe('the solid view', () => {
  it('shows a transaction when its block and 18 more stand, and not one earlier', async () => {
    const { dev, tronWeb, addresses } = chain;
    const { txid } = await tronWeb.trx.sendTransaction(addresses[1]!, 7);
    await dev.mine();
    expect(await tronWeb.trx.getUnconfirmedTransactionInfo(txid)).toMatchObject({ id: txid });
    await dev.mine(17);
    expect(await tronWeb.trx.getTransactionInfo(txid)).toEqual({});
    expect(await chain.post('/walletsolidity/gettransactionbyid', { value: txid })).toEqual({});
    await dev.mine();
    expect(await tronWeb.trx.getTransactionInfo(txid)).toMatchObject({
      id: txid,
      receipt: { net_usage: 265 },
    });
    expect(await tronWeb.trx.getConfirmedCurrentBlock()).toMatchObject({ blockID: dev.solidHead().id });
  });

  it('lives on a port of its own too, where the full API does not', async () => {
    const { dev } = chain;
    expect(await postJson(`${dev.solidityUrl}/walletsolidity/getnowblock`, {})).toMatchObject({
      blockID: dev.solidHead().id,
    });
    expect((await fetch(`${dev.solidityUrl}/wallet/getnowblock`)).status).toBe(404);
    expect((await fetch(`${dev.solidityUrl}/walletsolidity/getaccountresource`)).status).toBe(404);
  });

  it('can be frozen, can lag more, and never moves back by itself', async () => {
    const { dev } = chain;
    await dev.mine(20);
    const before = dev.solidHead().number;
    await dev.freezeSolid();
    await dev.mine(5);
    expect(dev.solidHead().number).toBe(before);
    await dev.freezeSolid(false);
    expect(dev.solidHead().number).toBe(before + 5);
    await dev.setSolidLag(30);
    await dev.mine(3);
    expect(dev.solidHead().number).toBe(before + 5);
    await dev.setSolidLag(2);
    expect(dev.solidHead().number).toBe(dev.head().number - 2);
  });

  it('reads balances of the solid block while the full view already counts what only waits', async () => {
    const { dev, tronWeb, addresses } = chain;
    await dev.mine(30);
    const before = await tronWeb.trx.getBalance(addresses[1]);
    const { txid } = await tronWeb.trx.sendTransaction(addresses[1]!, 5_000_000);
    expect((await tronWeb.trx.getUnconfirmedBalance(addresses[1])) - before).toBe(5_000_000);
    expect(await tronWeb.trx.getBalance(addresses[1])).toBe(before);
    const waiting = await chain.post('/wallet/gettransactionbyid', { value: txid });
    expect(waiting).toMatchObject({ txID: txid, ret: [{ contractRet: 'SUCCESS' }] });
    expect(await chain.post('/wallet/gettransactioninfobyid', { value: txid })).toEqual({});
  });
});

describe('blocks', () => {
  it('are chained, signed, and numbered in their ids', async () => {
    const { dev } = chain;
    const blocks = await dev.mine(3);
    const [first, second] = blocks;
    const answer = await chain.post('/wallet/getblockbynum', { num: second!.number });
    expect(answer).toMatchObject({
      blockID: second!.id,
      block_header: { raw_data: { parentHash: first!.id, number: second!.number } },
    });
    expect(answer).not.toHaveProperty('transactions');
    expect(Number.parseInt(second!.id.slice(0, 16), 16)).toBe(second!.number);
  });

  it('are {} where there is none, and a range stops at the head or is {} where it is too wide', async () => {
    const { dev } = chain;
    const head = dev.head().number;
    expect(await chain.post('/wallet/getblockbynum', { num: head + 1 })).toEqual({});
    const range = await chain.post('/wallet/getblockbylimitnext', { startNum: head - 1, endNum: head + 10 });
    expect((range['block'] as unknown[]).length).toBe(2);
    expect(await chain.post('/wallet/getblockbylimitnext', { startNum: 0, endNum: 101 })).toEqual({});
    expect(await chain.post('/wallet/getblockbylimitnext', { startNum: 5, endNum: 5 })).toEqual({});
    const latest = await chain.post('/wallet/getblockbylatestnum', { num: 2 });
    expect((latest['block'] as { blockID: string }[]).map(({ blockID }) => blockID)[0]).toBe(dev.head().id);
  });

  it('give their receipts as a bare array: empty for an empty or future height, an object for no height', async () => {
    const { dev, tronWeb, addresses } = chain;
    const sent = [1, 2, 3].map((sun) => tronWeb.trx.sendTransaction(addresses[1]!, sun));
    const ids = (await Promise.all(sent)).map(({ txid }) => txid);
    const [block] = await dev.mine();
    const infos = await chain.post('/wallet/gettransactioninfobyblocknum', { num: block!.number });
    expect((infos as unknown as { id: string }[]).map(({ id }) => id)).toEqual(block!.transactions);
    expect([...block!.transactions].sort()).toEqual([...ids].sort());
    expect(await chain.post('/wallet/gettransactioninfobyblocknum', { num: block!.number + 1 })).toEqual([]);
    expect(await chain.post('/wallet/gettransactioninfobyblocknum', { num: 0 })).toEqual({});
  });

  it('carry a Merkle root that a reader can compute again from raw_data_hex, signatures and ret', async () => {
    const { dev, tronWeb, addresses } = chain;
    for (const sun of [1, 2, 3]) await tronWeb.trx.sendTransaction(addresses[1]!, sun);
    const [mined] = await dev.mine();
    const { merkleRoot } = await import('../protocol/merkle.ts');
    const { encodeTransaction, transactionOf } = await import('../protocol/transaction.ts');
    const { make } = await import('../protocol/schema.ts');
    const { transactionResult } = await import('../protocol/messages.ts');
    const block = await tronWeb.trx.getBlockByNumber(mined!.number);
    const leaves = (block.transactions ?? []).map((tx) => {
      const whole = transactionOf(tx.raw_data_hex, tx.signature);
      return encodeTransaction(whole, [make(transactionResult, { contractRet: 'SUCCESS' })]);
    });
    expect(merkleRoot(leaves)).toBe(block.block_header.raw_data.txTrieRoot);
  });
});
