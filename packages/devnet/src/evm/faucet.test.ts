// Shows that a payer keeps its nonces right under concurrency, competition and reorganisations.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EvmChain } from './evm-chain.ts';
import { startEvmChain } from './evm-chain.ts';
import type { Faucet } from './faucet.ts';
import { createFaucet } from './faucet.ts';
import { testAccount } from './test-accounts.ts';

const receiver = '0x00000000000000000000000000000000000000aa';
let chain: EvmChain;
let faucet: Faucet;
const newFaucet = (index: number) =>
  createFaucet({ rpcUrl: chain.rpcUrl, chainId: chain.chainId, privateKey: testAccount(index).privateKey });
beforeAll(async () => {
  chain = await startEvmChain({ chainId: 31_011 });
  faucet = newFaucet(0);
});
afterAll(() => chain.stop());

describe('createFaucet', () => {
  it('sends fifty payments at once, each exactly once', async () => {
    const hashes = await Promise.all(
      Array.from({ length: 50 }, (_, index) => faucet.sendNative(receiver, BigInt(index))),
    );
    await chain.mine();
    const outcomes = await Promise.all(hashes.map((hash) => faucet.outcome(hash)));
    expect(outcomes.every(({ succeeded }) => succeeded)).toBe(true);
    expect(await chain.rpc('eth_getBalance', [receiver, 'latest'])).toBe(`0x${(1225).toString(16)}`);
  });

  it('shares an account with another program', async () => {
    const [one, two] = [newFaucet(2), newFaucet(2)];
    await one.sendNative(receiver, 1n);
    const hashes: `0x${string}`[] = [];
    for (let round = 0; round < 3; round += 1) {
      hashes.push(await two.sendNative(receiver, 2n));
      hashes.push(await one.sendNative(receiver, 3n));
    }
    await chain.mine();
    const outcomes = await Promise.all(hashes.map((hash) => one.outcome(hash)));
    expect(outcomes.filter(({ succeeded }) => succeeded)).toHaveLength(6);
  });

  it('deploys, mints and sends a token, and reports a call that failed', async () => {
    const { address, hash } = await faucet.deploy('testToken', ['Test', 'TST', 6]);
    const minted = await faucet.mintToken(address, faucet.address, 1_000n);
    const sent = await faucet.sendToken(address, receiver, 400n);
    const tooMuch = await faucet.sendToken(address, receiver, 601n);
    await chain.mine();
    const ends = await Promise.all([hash, minted, sent, tooMuch].map((each) => faucet.outcome(each)));
    expect(ends.map(({ succeeded }) => succeeded)).toEqual([true, true, true, false]);
    const balanceOf = `0x70a08231${receiver.slice(2).padStart(64, '0')}`;
    expect(Number(await chain.rpc('eth_call', [{ to: address, data: balanceOf }, 'latest']))).toBe(400);
  });

  it('goes on after a refusal without leaving a gap', async () => {
    const poor = newFaucet(3);
    await chain.setBalance(poor.address, 1_000n);
    await expect(poor.sendNative(receiver, 1n)).rejects.toThrow(/insufficient/i);
    await chain.setBalance(poor.address, 10n ** 18n);
    const hash = await poor.sendNative(receiver, 1n);
    await chain.mine();
    expect((await poor.outcome(hash)).succeeded).toBe(true);
  });
});
