// Shows that the local chains start with tokens and payers, and continue as they were.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createFaucet } from '../evm/faucet.ts';
import { callRpc, fetchHeader } from '../evm/json-rpc.ts';
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
        // A payment of each token, a native payment, and the mint of all tokens. Nothing is minted again.
        `0x${(chain.tokens.length + 2).toString(16)}`,
      );
    }
    await second.stop();
  });

  it('takes other tokens, more of them at a later start, and pays each of them', {
    timeout: 60_000,
  }, async () => {
    const place = join(folder, 'more');
    const many = Array.from({ length: 50 }, (_, index) => ({
      symbol: `T${index}`,
      name: `Token ${index}`,
      decimals: index % 19,
      contract: (['testToken', 'noReturnToken', 'feeToken'] as const)[index % 3] ?? 'testToken',
    }));
    const start = (ETH: typeof many) =>
      startLocalChains({ folder: place, blockTimeMs: 200, tokens: { ETH, BSC: [], WKC: [], Tron: [] } });
    const first = evmOf(await start(many.slice(0, 20)));
    const before = first.chains[0]!.tokens.map(({ contract }) => contract);
    await first.stop();

    const second = await start(many);
    const [eth, ...others] = evmOf(second).chains;
    expect(others.map(({ tokens }) => tokens)).toEqual([[], []]);
    const { tokens, rpcUrl, chainId, payer } = eth!;
    expect(tokens.map(({ contract }) => contract).slice(0, 20)).toEqual(before);
    const faucet = createFaucet({ rpcUrl, chainId, privateKey: payer.privateKey });
    const hashes = await Promise.all(
      tokens.map(({ contract }) => faucet.sendToken(contract, receiver, 100n)),
    );
    const outcomes = await Promise.all(hashes.map((hash) => faucet.outcome(hash)));
    expect(outcomes.every(({ succeeded }) => succeeded)).toBe(true);
    const data = `0x70a08231${receiver.slice(2).padStart(64, '0')}`;
    const got = tokens.map(async ({ contract }) =>
      Number(await callRpc(rpcUrl, 'eth_call', [{ to: contract, data }, 'latest'])),
    );
    // The tokens that take a fee leave 99 of 100.
    expect(await Promise.all(got)).toEqual(many.map((_, index) => (index % 3 === 2 ? 99 : 100)));
    await second.stop();
  });
});
