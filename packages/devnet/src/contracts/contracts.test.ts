// Shows on a real node that each hostile contract misbehaves as it was written to.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Hex } from 'viem';
import { decodeFunctionResult, encodeFunctionData, getContractAddress, maxUint256 } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sourceHash } from './generated/source-hash.ts';
import type { Call } from './contracts.ts';
import { callOf, contracts } from './contracts.ts';
import type { EvmChain } from '../evm/evm-chain.ts';
import { startEvmChain } from '../evm/evm-chain.ts';
import type { Faucet } from '../evm/faucet.ts';
import { createFaucet } from '../evm/faucet.ts';
import { testAccount } from '../evm/test-accounts.ts';

let chain: EvmChain;
let faucet: Faucet;
let target: Hex;
let targets = 0;
beforeAll(async () => {
  chain = await startEvmChain({ chainId: 31_012, mining: 'instant' });
  faucet = createFaucet({ rpcUrl: chain.rpcUrl, chainId: 31_012, privateKey: testAccount(0).privateKey });
});
afterAll(() => chain.stop());
beforeEach(() => {
  targets += 1;
  target = `0x${(0xabc000 + targets).toString(16).padStart(40, '0')}`;
});

describe('the artifacts', () => {
  it('were compiled from the sources beside them', () => {
    const folder = new URL('../../contracts/', import.meta.url);
    const hash = createHash('sha256');
    for (const name of readdirSync(folder)
      .filter((each) => each.endsWith('.sol'))
      .sort()) {
      const text = readFileSync(new URL(name, folder), 'utf8').replaceAll('\r\n', '\n');
      hash.update(name).update('\0').update(text).update('\0');
    }
    expect(hash.digest('hex'), 'run node scripts/compile-contracts.mjs').toBe(sourceHash);
  });
});

describe('tokens', () => {
  it.each([
    ['silentFalseToken', 0, 0n],
    ['loggingFalseToken', 1, 0n],
    ['movingFalseToken', 1, 1_000n],
    ['feeToken', 2, 990n],
  ] as const)('%s succeeds, logs %i times and moves %i of 1000', async (name, logs, moved) => {
    const { address } = await faucet.deploy(name, ['Bad', 'BAD', 6]);
    await run(callOf(name, address, 'mint', [faucet.address, 1_000n]));
    const receipt = await run(callOf(name, address, 'transfer', [target, 1_000n]));
    expect(receipt).toMatchObject({ status: '0x1' });
    expect(receipt.logs).toHaveLength(logs);
    expect(await balanceOf(address, target)).toBe(moved);
  });

  it('pausableToken refuses while paused or black listed and destroys a balance without a Transfer', async () => {
    const { address } = await faucet.deploy('pausableToken', ['Pause', 'PSE', 6]);
    await run(callOf('pausableToken', address, 'mint', [target, 500n]));
    await run(callOf('pausableToken', address, 'pause', []));
    expect((await run(callOf('pausableToken', address, 'mint', [target, 1n]))).status).toBe('0x0');
    await run(callOf('pausableToken', address, 'unpause', []));
    await run(callOf('pausableToken', address, 'addBlackList', [target]));
    const { logs } = await run(callOf('pausableToken', address, 'destroyBlackFunds', [target]));
    expect(logs).toHaveLength(1);
    expect(logs[0]!.topics[0]).not.toBe(transferTopic);
    expect(await balanceOf(address, target)).toBe(0n);
  });

  it('rebaseToken changes balances without a log and hugeToken mints the largest number', async () => {
    const rebase = await faucet.deploy('rebaseToken', ['Rebase', 'RBS', 18]);
    await run(callOf('rebaseToken', rebase.address, 'mint', [target, 100n]));
    const { logs } = await run(callOf('rebaseToken', rebase.address, 'rebase', [2n * 10n ** 18n]));
    expect(logs).toHaveLength(0);
    expect(await balanceOf(rebase.address, target)).toBe(200n);
    const huge = await faucet.deploy('hugeToken', []);
    await run(callOf('hugeToken', huge.address, 'mintMax', [target]));
    expect(await balanceOf(huge.address, target)).toBe(maxUint256);
  });
});

describe('forger', () => {
  it('logs a perfect transfer and four kinds of odd ones', async () => {
    const { address } = await faucet.deploy('forger', []);
    const shape = async (call: Call) => {
      const [log] = (await run(call)).logs;
      return [log!.topics.length, (log!.data.length - 2) / 2, log!.topics[0] === transferTopic];
    };
    const args = [faucet.address, target, 7n] as const;
    expect(await shape(callOf('forger', address, 'forgeTransfer', args))).toEqual([3, 32, true]);
    expect(await shape(callOf('forger', address, 'forgeIndexedValue', args))).toEqual([4, 0, true]);
    expect(await shape(callOf('forger', address, 'forgeUnindexed', args))).toEqual([1, 96, true]);
    expect(await shape(callOf('forger', address, 'forgeOddData', [...args, 31n]))).toEqual([3, 31, true]);
    expect(await shape(callOf('forger', address, 'forgeOddData', [...args, 64n]))).toEqual([3, 64, true]);
    const dirty = callOf('forger', address, 'forgeDirtyTopics', [1n, BigInt(target) + (1n << 200n), 7n]);
    expect(await shape(dirty)).toEqual([3, 32, true]);
  });
});

describe('senders', () => {
  it('multiSend pays many in one transaction, native and token', async () => {
    const { address } = await faucet.deploy('multiSend', []);
    const token = await faucet.deploy('testToken', ['T', 'T', 18]);
    const other: Hex = `0x${'b'.repeat(40)}`;
    await run(
      callOf(
        'multiSend',
        address,
        'sendNative',
        [
          [target, other, target],
          [1n, 2n, 3n],
        ],
        6n,
      ),
    );
    expect(await nativeOf(target)).toBe(4n);
    await run(callOf('testToken', token.address, 'mint', [faucet.address, 10n]));
    await run(callOf('testToken', token.address, 'approve', [address, 10n]));
    const { logs } = await run(
      callOf('multiSend', address, 'sendToken', [token.address, [target, other], [4n, 6n]]),
    );
    expect(logs.filter(({ topics }) => topics[0] === transferTopic)).toHaveLength(2);
    expect(await balanceOf(token.address, target)).toBe(4n);
  });

  it.each([
    ['forward', '0x1', 100n],
    ['forwardAndRevert', '0x0', 0n],
  ] as const)('forwarder %s ends with status %s and pays %i', async (method, status, paid) => {
    const { address } = await faucet.deploy('forwarder', []);
    expect((await run(callOf('forwarder', address, method, [target], 100n))).status).toBe(status);
    expect(await nativeOf(target)).toBe(paid);
  });

  it.each([
    ['payThreeDeep', 100n],
    ['payBelowReverted', 0n],
    ['payInRevertedLeaf', 0n],
    ['payBesideReverted', 50n],
  ] as const)('nestedCalls %s succeeds and pays %i of 100', async (method, paid) => {
    const { address } = await faucet.deploy('nestedCalls', []);
    expect((await run(callOf('nestedCalls', address, method, [target], 100n))).status).toBe('0x1');
    expect(await nativeOf(target)).toBe(paid);
  });

  it.each(['delegateTo', 'callcodeTo', 'staticcallTo'] as const)(
    'pretender %s moves nothing',
    async (method) => {
      const { address } = await faucet.deploy('pretender', []);
      expect((await run(callOf('pretender', address, method, [target], 100n))).status).toBe('0x1');
      expect(await nativeOf(target)).toBe(0n);
      expect(await nativeOf(address)).toBe(100n);
    },
  );

  it('creator and bomb pay by creation and destruction', async () => {
    const { address } = await faucet.deploy('creator', []);
    await run(callOf('creator', address, 'createAndDestroy', [target], 10n));
    expect(await nativeOf(target)).toBe(10n);
    await run(callOf('creator', address, 'createConstructorPayer', [target], 5n));
    expect(await nativeOf(target)).toBe(15n);
    const bomb = await faucet.deploy('bomb', [], 7n);
    await run(callOf('bomb', bomb.address, 'destroy', [target]));
    expect(await nativeOf(target)).toBe(22n);
    await run(callOf('creator', address, 'createWithEndowment', [], 3n));
    // The creator's nonce began at 1, and two contracts were created before.
    expect(await nativeOf(getContractAddress({ from: address, nonce: 3n }))).toBe(3n);
  });
});

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

interface Receipt {
  status: Hex;
  logs: { topics: Hex[]; data: Hex; address: Hex }[];
}

async function run(call: Call): Promise<Receipt> {
  const hash = await faucet.send(call);
  await faucet.outcome(hash);
  return (await chain.rpc('eth_getTransactionReceipt', [hash])) as Receipt;
}

async function nativeOf(address: Hex): Promise<bigint> {
  return BigInt(String(await chain.rpc('eth_getBalance', [address, 'latest'])));
}

async function balanceOf(token: Hex, owner: Hex): Promise<bigint> {
  const { abi } = contracts.testToken;
  const data = encodeFunctionData({ abi, functionName: 'balanceOf', args: [owner] });
  const result = await chain.rpc('eth_call', [{ to: token, data }, 'latest']);
  return decodeFunctionResult({ abi, functionName: 'balanceOf', data: result as Hex });
}
