// Shows that a durable chain survives the death of its node and of its own process with equal hashes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startDurableChain } from './durable-chain.ts';
import { createFaucet } from '../evm/faucet.ts';
import { callRpc, callRpcHex, fetchHeader } from '../evm/json-rpc.ts';
import { findRunningProcess, isAlive } from '../process/running-process.ts';
import { testAccount } from '../evm/test-accounts.ts';
import { waitUntil } from '../process/wait-until.ts';

const timeout = 60_000;
const chainId = 31_007;
const payer = testAccount(1);
const receiver = '0x00000000000000000000000000000000000000aa';
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ducat-chain-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const options = () => ({ folder, chainId, slotsInEpoch: 1, checkpointEveryBlocks: 5 });

describe('startDurableChain', () => {
  it('continues over clean restarts and checkpoints with equal blocks and working traces', {
    timeout,
  }, async () => {
    let nonce = 0;
    const seen = new Map<number, string>();
    for (let round = 0; round < 4; round += 1) {
      const chain = await startDurableChain(options());
      for (const [number, hash] of seen) expect((await fetchHeader(chain.rpcUrl, number))!.hash).toBe(hash);
      for (let block = 0; block < 7; block += 1) {
        await send(chain.rpcUrl, nonce);
        nonce += 1;
        await chain.mine();
        const head = await fetchHeader(chain.rpcUrl, 'latest');
        seen.set(head!.number, head!.hash);
      }
      await chain.stop();
    }
    const chain = await startDurableChain(options());
    const head = (await fetchHeader(chain.rpcUrl, 'latest'))!;
    expect(head.number).toBe(28);
    expect((await fetchHeader(chain.rpcUrl, 'finalized'))!.number).toBe(26);
    // Receipts and logs exist from the first block on, and traces at least from the last checkpoint but one.
    expect(await callRpc(chain.rpcUrl, 'eth_getBlockReceipts', ['0x1'])).toHaveLength(1);
    for (const back of [0, 5]) {
      const { hash } = (await fetchHeader(chain.rpcUrl, head.number - back))!;
      const traces = await callRpc(chain.rpcUrl, 'debug_traceBlockByHash', [hash, { tracer: 'callTracer' }]);
      expect(traces).toMatchObject([{ result: { type: 'CALL', to: receiver, value: '0x1' } }]);
    }
    await chain.stop();
    const files = readdirSync(folder)
      .filter((name) => name.startsWith('segment-'))
      .sort();
    expect(files).toEqual([
      'segment-4.checkpoint',
      'segment-4.journal',
      'segment-5.checkpoint',
      'segment-5.journal',
    ]);
  });

  it('replaces a killed node and mines the pending transaction exactly once', { timeout }, async () => {
    const chain = await startDurableChain(options());
    for (let nonce = 0; nonce < 7; nonce += 1) {
      await send(chain.rpcUrl, nonce);
      await chain.mine();
    }
    const head = (await fetchHeader(chain.rpcUrl, 'latest'))!;
    const pending = await send(chain.rpcUrl, 7);
    const killed = chain.nodePid();
    process.kill(killed, 'SIGKILL');
    await waitUntil('a new node', async () => {
      const found = await fetchHeader(chain.rpcUrl, 'latest').catch(() => undefined);
      return chain.nodePid() !== killed && found?.hash === head.hash;
    });
    await chain.mine();
    await chain.mine();
    expect(await timesMined(chain.rpcUrl, pending)).toEqual([8]);
    expect(await callRpc(chain.rpcUrl, 'eth_getBalance', [receiver, 'latest'])).toBe('0x8');
    await chain.stop();
  });

  it('comes back after kill -9 of its own process with a pending transaction', { timeout }, async () => {
    const first = await startInChild(3);
    let nonce = 0;
    for (; nonce < 12; nonce += 1) {
      await send(first.rpcUrl, nonce);
      // Some transactions share a block and some blocks are empty.
      if (nonce % 3 === 0) await first.mine();
    }
    await first.mine();
    const head = (await fetchHeader(first.rpcUrl, 'latest'))!;
    // One transaction can be mined; the other waits behind a gap, over several checkpoints.
    const pending = await send(first.rpcUrl, 12);
    const gapped = await send(first.rpcUrl, 14);
    await expect(send(first.rpcUrl, 3)).rejects.toThrow(/nonce too low/);
    await expect(send(first.rpcUrl, 12)).rejects.toThrow(/already/);
    await first.kill();
    expect(findRunningProcess(first.nodePid)?.commandLine).toContain('anvil');
    const lastJournal = readdirSync(folder)
      .filter((name) => name.endsWith('.journal'))
      .sort()
      .at(-1)!;
    appendFileSync(join(folder, lastJournal), '{"kind":"block","numb');

    const second = await startDurableChain({ ...options(), checkpointEveryBlocks: 3 });
    await waitUntil(
      'the orphan node to end',
      () => !isAlive(first.nodePid) || !findRunningProcess(first.nodePid),
    );
    expect((await fetchHeader(second.rpcUrl, 'latest'))!.hash).toBe(head.hash);
    for (let block = 0; block < 8; block += 1) await second.mine();
    expect(await timesMined(second.rpcUrl, pending)).toEqual([head.number + 1]);
    expect(await timesMined(second.rpcUrl, gapped)).toEqual([]);
    await second.stop();

    const third = await startDurableChain({ ...options(), checkpointEveryBlocks: 3 });
    await send(third.rpcUrl, 13);
    await third.mine();
    expect(await timesMined(third.rpcUrl, gapped)).toEqual([head.number + 9]);
    await third.stop();
  });

  it('keeps receipts and logs of blocks before the loaded checkpoint, but can trace later blocks only', {
    timeout,
  }, async () => {
    const chain = await startDurableChain(options());
    const faucet = createFaucet({ rpcUrl: chain.rpcUrl, chainId, privateKey: testAccount(0).privateKey });
    const { address } = await faucet.deploy('testToken', ['Test', 'TST', 6]);
    const hash = await faucet.mintToken(address, receiver, 5n);
    for (let block = 0; block < 15; block += 1) await chain.mine();
    const query = { fromBlock: '0x0', toBlock: 'latest', address };
    const logs = await callRpc(chain.rpcUrl, 'eth_getLogs', [query]);
    const receipt = await callRpc(chain.rpcUrl, 'eth_getTransactionReceipt', [hash]);
    expect(logs).toHaveLength(1);
    expect(receipt).toMatchObject({ status: '0x1', blockNumber: '0x1' });
    const trace = ['debug_traceTransaction', [hash, { tracer: 'callTracer' }]] as const;
    expect(await callRpc(chain.rpcUrl, ...trace)).toMatchObject({ type: 'CALL' });
    await chain.stop();

    const again = await startDurableChain(options());
    expect(await callRpc(again.rpcUrl, 'eth_getLogs', [query])).toEqual(logs);
    expect(await callRpc(again.rpcUrl, 'eth_getTransactionReceipt', [hash])).toEqual(receipt);
    await expect(callRpc(again.rpcUrl, ...trace)).rejects.toThrow('not found');
    await again.stop();
  });

  it('begins with the newest checkpoint when the one before it is damaged', { timeout }, async () => {
    const chain = await startDurableChain(options());
    for (let block = 0; block < 12; block += 1) await chain.mine();
    const head = (await fetchHeader(chain.rpcUrl, 'latest'))!;
    await chain.stop();
    writeFileSync(join(folder, 'segment-1.checkpoint'), 'rubbish');
    const again = await startDurableChain(options());
    expect((await fetchHeader(again.rpcUrl, 'latest'))!.hash).toBe(head.hash);
    await again.stop();
  });

  it('mines by the clock, never back in time, and keeps many simultaneous transactions', {
    timeout,
  }, async () => {
    const startS = Math.floor(Date.now() / 1_000);
    const chain = await startDurableChain({ ...options(), blockTimeMs: 50 });
    const hashes = await Promise.all(Array.from({ length: 40 }, (_, nonce) => send(chain.rpcUrl, nonce)));
    expect(new Set(hashes).size).toBe(40);
    await waitUntil(
      'all mined',
      async () => (await callRpc(chain.rpcUrl, 'eth_getBalance', [receiver, 'latest'])) === '0x28',
    );
    const head = (await fetchHeader(chain.rpcUrl, 'latest'))!;
    expect(head.timestamp).toBeGreaterThanOrEqual(startS);
    expect(head.timestamp).toBeLessThan(Date.now() / 1_000 + 5);
    await chain.stop();
  });

  it('takes blocks back with what is in them, and goes on from there after a restart', {
    timeout,
  }, async () => {
    const chain = await startDurableChain(options());
    await chain.mine();
    await chain.mine();
    const kept = await fetchHeader(chain.rpcUrl, 'latest');
    const hash = await send(chain.rpcUrl, 0);
    await chain.mine();
    await chain.rollBack(1);
    expect(await fetchHeader(chain.rpcUrl, 'latest')).toEqual(kept);
    expect(await callRpc(chain.rpcUrl, 'eth_getTransactionByHash', [hash])).toBeNull();
    await chain.mine();
    const other = await fetchHeader(chain.rpcUrl, 'latest');
    await expect(chain.rollBack(4)).rejects.toThrow('cannot be taken back');
    await chain.stop();
    const again = await startDurableChain(options());
    expect(await fetchHeader(again.rpcUrl, 'latest')).toEqual(other);
    // The transaction can be sent again.
    expect(await send(again.rpcUrl, 0)).toBe(hash);
    await again.mine();
    expect(await timesMined(again.rpcUrl, hash)).toEqual([4]);
    await again.stop();
  });

  it('takes blocks back from before a checkpoint, and goes on from there after restarts', {
    timeout,
  }, async () => {
    let chain = await startDurableChain(options());
    const restart = async () => {
      await chain.stop();
      chain = await startDurableChain(options());
    };
    // The newest checkpoint is the head in the first round, and the block before the head in the second.
    for (const blocks of [10, 14]) {
      for (let block = 0; block < blocks; block += 1) await chain.mine();
      const kept = (await fetchHeader(chain.rpcUrl, 'latest'))!.number - 3;
      await chain.rollBack(3);
      expect((await fetchHeader(chain.rpcUrl, 'latest'))!.number).toBe(kept);
      await expect(chain.rollBack(8)).rejects.toThrow('cannot be taken back');
      const hash = await send(chain.rpcUrl, 0);
      await chain.mine();
      await restart();
      expect(await timesMined(chain.rpcUrl, hash)).toEqual([kept + 1]);
      await chain.rollBack(1);
      for (let block = 0; block < 6; block += 1) await chain.mine();
      const head = await fetchHeader(chain.rpcUrl, 'latest');
      await restart();
      expect(await fetchHeader(chain.rpcUrl, 'latest')).toEqual(head);
      await chain.rollBack(head!.number - kept);
    }
    await chain.stop();
  });

  it('takes an order that comes the moment the one before is done', { timeout }, async () => {
    const chain = await startDurableChain(options());
    let nonce = 0;
    // Each answer triggers the next order at once. An overlooked order would wait for ever.
    const chase = async () => {
      for (let round = 0; round < 30; round += 1) await chain.mine();
    };
    await Promise.all([chase(), chase(), send(chain.rpcUrl, nonce++), send(chain.rpcUrl, nonce++)]);
    expect((await fetchHeader(chain.rpcUrl, 'latest'))!.number).toBe(60);
    await chain.stop();
  });

  it('refuses a folder in use and a folder of another chain', { timeout }, async () => {
    const chain = await startDurableChain(options());
    await expect(startDurableChain(options())).rejects.toThrow('in use by process');
    await chain.stop();
    await expect(startDurableChain({ ...options(), chainId: 5 })).rejects.toThrow('holds another chain');
  });
});

async function send(rpcUrl: string, nonce: number): Promise<`0x${string}`> {
  const raw = await payer.account.signTransaction({
    chainId,
    type: 'eip1559',
    to: receiver,
    value: 1n,
    nonce,
    gas: 21_000n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 1n,
  });
  return callRpcHex(rpcUrl, 'eth_sendRawTransaction', [raw]);
}

/** Numbers of all blocks that contain the transaction. */
async function timesMined(rpcUrl: string, hash: string): Promise<number[]> {
  const head = (await fetchHeader(rpcUrl, 'latest'))!;
  const found: number[] = [];
  for (let number = 0; number <= head.number; number += 1) {
    const block = await callRpc(rpcUrl, 'eth_getBlockByNumber', [`0x${number.toString(16)}`, false]);
    if (JSON.stringify(block).includes(hash)) found.push(number);
  }
  return found;
}

/** Runs the built package in a process of its own, which can be killed. A line on its input mines a block. */
async function startInChild(checkpointEveryBlocks: number) {
  const module = new URL('../../dist/durable/durable-chain.js', import.meta.url).href;
  const code = `import { startDurableChain } from ${JSON.stringify(module)};
    const chain = await startDurableChain(${JSON.stringify({ ...options(), checkpointEveryBlocks })});
    console.log(JSON.stringify({ rpcUrl: chain.rpcUrl, nodePid: chain.nodePid() }));
    process.stdin.on('data', () => chain.mine().then(() => console.log('mined')));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const [first] = await once(lines, 'line');
  const { rpcUrl, nodePid }: { rpcUrl: string; nodePid: number } = JSON.parse(String(first));
  return {
    rpcUrl,
    nodePid,
    mine: async () => {
      child.stdin.write('\n');
      await once(lines, 'line');
    },
    kill: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
