// Shows that the local chains come up furnished, and come back as they were.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createFaucet } from './faucet.ts';
import { callRpc, fetchHeader } from './json-rpc.ts';
import { type LocalChains, startLocalChains } from './local-chains.ts';

const folder = mkdtempSync(join(tmpdir(), 'ducat-local-chains-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const evmOf = (running: LocalChains) => ({
  chains: running.chains.filter((chain) => chain.family === 'evm'),
  stop: () => running.stop(),
});
const receiver = '0x00000000000000000000000000000000000000aa';

describe('startLocalChains', () => {
  it('starts three EVM chains with tokens and a payer, and continues them', { timeout: 60_000 }, async () => {
    const first = evmOf(await startLocalChains({ folder, blockTimeMs: 200 }));
    expect(first.chains.map(({ name, chainId }) => [name, chainId])).toEqual([
      ['ETH', 900_001],
      ['BSC', 900_002],
      ['WKC', 900_004],
    ]);
    expect(
      first.chains.map(({ tokens }) => tokens.map(({ symbol, decimals }) => `${symbol} ${decimals}`)),
    ).toEqual([['USDT 6', 'USDC 6'], ['USDT 18', 'USDC 18'], ['USDT 6']]);
    for (const { rpcUrl, chainId, payer, tokens } of first.chains) {
      const faucet = createFaucet({ rpcUrl, chainId, privateKey: payer.privateKey });
      const hashes = await Promise.all([
        faucet.sendNative(receiver, 5n),
        ...tokens.map(({ contract }) => faucet.sendToken(contract, receiver, 1_000n)),
      ]);
      const outcomes = await Promise.all(hashes.map((hash) => faucet.outcome(hash)));
      expect(outcomes.every(({ succeeded }) => succeeded)).toBe(true);
    }
    const heads = await Promise.all(first.chains.map(({ rpcUrl }) => fetchHeader(rpcUrl, 'latest')));
    await first.stop();

    const second = evmOf(await startLocalChains({ folder, blockTimeMs: 200 }));
    for (const [index, chain] of second.chains.entries()) {
      const before = first.chains[index]!;
      expect({ ...chain, rpcUrl: '' }).toEqual({ ...before, rpcUrl: '' });
      expect((await fetchHeader(chain.rpcUrl, heads[index]!.number))!.hash).toBe(heads[index]!.hash);
      expect(await callRpc(chain.rpcUrl, 'eth_getTransactionCount', [chain.payer.address, 'latest'])).toBe(
        // One mint and one payment for each token, and one native payment; nothing is minted again.
        `0x${(chain.tokens.length * 2 + 1).toString(16)}`,
      );
    }
    await second.stop();
  });
});
