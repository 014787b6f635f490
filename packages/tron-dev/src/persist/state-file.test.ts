// A chain that ends and comes back from its file, also after a crash in the middle of a line.
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTronWebChain } from '../testing/tronweb-chain.ts';

let folder: string;
let stateFile: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tron-dev-'));
  stateFile = join(folder, 'deeper', 'chain.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the state file', () => {
  it('brings back blocks, receipts, contracts, balances, branches and the solid head', async () => {
    const { dev, tronWeb, addresses } = await startTronWebChain({ stateFile });
    const owner = addresses[0]!;
    const token = await dev.deployToken({
      owner,
      name: 'Dollar',
      symbol: 'USD',
      decimals: 6,
      supply: 2n ** 200n,
      like: 'standard',
    });
    const tokenId = await dev.issueToken({
      owner,
      name: 'Ten',
      symbol: 'TEN',
      precision: 2,
      supply: 10n ** 17n,
    });
    const { txid } = await tronWeb.trx.sendTransaction(addresses[1]!, 9);
    await dev.mine(20);
    await dev.reorg({ depth: 2 });
    await dev.setBalance(addresses[2]!, 123n);
    const shown = [dev.head(), dev.solidHead(), await tronWeb.trx.getUnconfirmedTransactionInfo(txid)];
    await dev.stop();

    const again = await startTronWebChain({ stateFile });
    await again.dev.revert(again.dev.snapshot());
    expect(again.dev.head().number).toBe(dev.head().number + 2);
    const back = await again.post('/wallet/getblockbynum', { num: dev.head().number });
    expect(back).toMatchObject({ blockID: dev.head().id });
    expect(await again.tronWeb.trx.getUnconfirmedTransactionInfo(txid)).toEqual(shown[2]);
    expect(again.dev.solidHead().number).toBe(dev.solidHead().number + 2);
    expect(await again.tronWeb.trx.getUnconfirmedBalance(addresses[2])).toBe(123);
    const contract = await again.tronWeb.contract().at(token);
    expect(await contract.balanceOf!(owner).call()).toBe(2n ** 200n);
    expect(await again.post('/wallet/getassetissuebyid', { value: tokenId })).toMatchObject({
      total_supply: 10 ** 17,
    });
    await again.dev.stop();
  });

  it('leaves out a line that a crash cut short', async () => {
    const first = await startTronWebChain({ stateFile });
    const head = first.dev.head();
    await first.dev.stop();
    appendFileSync(stateFile, '{"kind":"block","id":"00');
    const second = await startTronWebChain({ stateFile });
    const block = await second.post('/wallet/getblockbynum', { num: head.number });
    expect(block).toMatchObject({ blockID: head.id });
    await second.dev.stop();
    const third = await startTronWebChain({ stateFile });
    expect(third.dev.head().number).toBe(head.number + 4);
    await third.dev.stop();
  });
});
