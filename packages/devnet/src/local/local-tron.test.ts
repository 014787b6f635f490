// Shows that the local Tron chain starts with tokens and a payer, pays, and continues as it was.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startLocalTron } from './local-tron.ts';
import { createTronFaucet } from '../tron/tron-faucet.ts';
import { createTronForwarder } from '../tron/tron-forwarder.ts';

const folder = mkdtempSync(join(tmpdir(), 'ducat-local-tron-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const receiver = '410000000000000000000000000000000000000aaa';

describe('startLocalTron', () => {
  it('starts with USDT and a payer, pays both coins, also by way of a contract, and continues', {
    timeout: 60_000,
  }, async () => {
    const first = await startLocalTron({ folder, blockTimeMs: 100 });
    const { chain } = first;
    expect(chain.tokens).toEqual([
      { symbol: 'USDT', contract: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', decimals: 6 },
    ]);
    const faucet = createTronFaucet({ rpcUrl: chain.rpcUrl, privateKey: chain.payer.privateKey });
    const txids = await Promise.all([
      faucet.sendTrx(receiver, 5_000_000n),
      faucet.sendTrx(receiver, 5_000_000n),
      faucet.sendToken(chain.tokens[0]!.contract, receiver, 1_000n),
    ]);
    const forward = createTronForwarder(faucet);
    txids.push(await forward('', receiver, 2_000_000n));
    txids.push(await forward(chain.tokens[0]!.contract, receiver, 1_000n));
    expect(new Set(txids).size).toBe(5);
    const outcomes = await Promise.all(txids.map((txid) => faucet.outcome(txid)));
    expect(outcomes.every(({ succeeded }) => succeeded)).toBe(true);
    expect(await faucet.balanceOf(receiver)).toBe(12_000_000n);
    await expect(faucet.sendTrx('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u', 1n)).rejects.toThrow('no Tron address');
    await first.stop();

    const second = await startLocalTron({ folder, blockTimeMs: 100 });
    expect({ ...second.chain, rpcUrl: '' }).toEqual({ ...chain, rpcUrl: '' });
    const again = createTronFaucet({ rpcUrl: second.chain.rpcUrl, privateKey: chain.payer.privateKey });
    expect(await again.outcome(txids[2] ?? '')).toEqual(outcomes[2]);
    await second.stop();
  });
});
