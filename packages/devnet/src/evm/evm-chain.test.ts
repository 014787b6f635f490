// Shows what the raw test chain can be made to do.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EvmChain } from './evm-chain.ts';
import { startEvmChain } from './evm-chain.ts';
import { callRpcBatch, callRpcHex, fetchHeader, RpcRefusal } from './json-rpc.ts';
import { isAlive } from '../process/running-process.ts';
import { testAccount } from './test-accounts.ts';
import { waitUntil } from '../process/wait-until.ts';

const receiver = '0x00000000000000000000000000000000000000aa';
const payer = testAccount(1);
let chain: EvmChain;
beforeAll(async () => {
  chain = await startEvmChain({ chainId: 31_001, slotsInEpoch: 2 });
});
afterAll(() => chain.stop());

describe('startEvmChain', () => {
  it('mines only when asked and declares blocks final two epochs behind the head', async () => {
    const before = await fetchHeader(chain.rpcUrl, 'latest');
    await chain.mine(10);
    expect((await fetchHeader(chain.rpcUrl, 'latest'))!.number).toBe(before!.number + 10);
    expect((await fetchHeader(chain.rpcUrl, 'finalized'))!.number).toBe(before!.number + 6);
  });

  it('answers a batch in the order of its calls, and refuses as one call does', async () => {
    await chain.mine(3);
    const headers = await callRpcBatch(chain.rpcUrl, 'eth_getBlockByNumber', [
      ['0x2', false],
      ['0x0', false],
      ['0x1', false],
    ]);
    expect(headers).toMatchObject([{ number: '0x2' }, { number: '0x0' }, { number: '0x1' }]);
    expect(await callRpcBatch(chain.rpcUrl, 'eth_chainId', [])).toEqual([]);
    const wrong = callRpcBatch(chain.rpcUrl, 'eth_getBalance', [['nobody', 'latest']]);
    await expect(wrong).rejects.toThrow(RpcRefusal);
  });

  it('replaces blocks in a reorganisation and loses their transactions', async () => {
    const raw = await transfer(0, 5n);
    const hash = await callRpcHex(chain.rpcUrl, 'eth_sendRawTransaction', [raw]);
    await chain.mine(3);
    const head = await fetchHeader(chain.rpcUrl, 'latest');
    await chain.reorg(3);
    const after = await fetchHeader(chain.rpcUrl, 'latest');
    expect(after!.number).toBe(head!.number);
    expect(after!.hash).not.toBe(head!.hash);
    expect(await chain.rpc('eth_getTransactionReceipt', [hash])).toBeNull();

    await chain.reorg(2, [{ rawTransaction: raw, blockOffset: 1 }]);
    expect(await chain.rpc('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' });
  });

  it('goes back to a snapshot, rolls back and drops a pending transaction', async () => {
    const snapshot = await chain.snapshot();
    await chain.setBalance(receiver, 77n);
    await chain.mine(2);
    expect(await chain.rpc('eth_getBalance', [receiver, 'latest'])).toBe('0x4d');
    await chain.revert(snapshot);
    expect(await chain.rpc('eth_getBalance', [receiver, 'latest'])).not.toBe('0x4d');

    await chain.mine(3);
    const head = await fetchHeader(chain.rpcUrl, 'latest');
    await chain.rollback(2);
    expect((await fetchHeader(chain.rpcUrl, 'latest'))!.number).toBe(head!.number - 2);

    const nonce = Number(
      await callRpcHex(chain.rpcUrl, 'eth_getTransactionCount', [payer.address, 'latest']),
    );
    const hash = await callRpcHex(chain.rpcUrl, 'eth_sendRawTransaction', [await transfer(nonce, 1n)]);
    await chain.dropTransaction(hash);
    await chain.mine();
    expect(await chain.rpc('eth_getTransactionReceipt', [hash])).toBeNull();
  });

  it('takes the time of the next block', async () => {
    const head = await fetchHeader(chain.rpcUrl, 'latest');
    await chain.setNextBlockTimestamp(head!.timestamp + 1_000);
    await chain.mine();
    expect((await fetchHeader(chain.rpcUrl, 'latest'))!.timestamp).toBe(head!.timestamp + 1_000);
  });

  it('mines by the clock and stops its process', async () => {
    const ticking = await startEvmChain({ chainId: 31_002, mining: { blockTimeMs: 100 } });
    await waitUntil('three blocks', async () => (await fetchHeader(ticking.rpcUrl, 'latest'))!.number >= 3);
    await ticking.stop();
    expect(isAlive(ticking.pid)).toBe(false);
  });
});

function transfer(nonce: number, value: bigint): Promise<`0x${string}`> {
  return payer.account.signTransaction({
    chainId: 31_001,
    type: 'eip1559',
    to: receiver,
    value,
    nonce,
    gas: 21_000n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 1n,
  });
}
