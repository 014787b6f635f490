// Shows which calls the server of a durable chain lets through and which it refuses.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DurableChain } from './durable-chain.ts';
import { startDurableChain } from './durable-chain.ts';
import { isReadMethod } from './rpc-gate.ts';

const folder = mkdtempSync(join(tmpdir(), 'ducat-gate-test-'));
let chain: DurableChain;
beforeAll(async () => {
  chain = await startDurableChain({ folder, chainId: 31_009, slotsInEpoch: 1 });
});
afterAll(async () => {
  await chain.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('isReadMethod', () => {
  it.each([
    'eth_getLogs',
    'eth_call',
    'net_version',
    'web3_clientVersion',
    'debug_traceTransaction',
    'trace_block',
  ])('passes %s', (method) => expect(isReadMethod(method)).toBe(true));
  it.each([
    'anvil_reorg',
    'evm_mine',
    'hardhat_setBalance',
    'eth_sendTransaction',
    'eth_sendRawTransactionSync',
    'eth_sign',
    'debug_setHead',
    'ots_getApiLevel',
    '',
  ])('refuses "%s"', (method) => expect(isReadMethod(method)).toBe(false));
});

describe('the RPC gate', () => {
  it('answers single calls and batches in order', async () => {
    expect(await post({ jsonrpc: '2.0', id: 7, method: 'eth_chainId', params: [] })).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: '0x7921',
    });
    const batch = await post([
      { jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: ['0x00'] },
      { jsonrpc: '2.0', id: 2, method: 'evm_mine', params: [] },
      { jsonrpc: '2.0', id: 3, method: 'eth_chainId', params: [] },
    ]);
    expect(batch).toMatchObject([
      { id: 1, error: {} },
      { id: 2, error: { code: -32601 } },
      { id: 3, result: '0x7921' },
    ]);
  });

  it('refuses what it cannot read and what is too large, and keeps serving', async () => {
    expect(await postText('{')).toMatchObject({ status: 200, body: { error: { code: -32700 } } });
    expect(await postText('[]')).toMatchObject({ body: { error: { code: -32600 } } });
    expect(await postText('null')).toMatchObject({ body: { error: { code: -32601 } } });
    const call = { jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: [{ nested: true }] };
    expect(await post(call)).toMatchObject({ error: { code: -32602 } });
    const large = await fetch(chain.rpcUrl, { method: 'POST', body: 'x'.repeat(6_000_000) }).catch(
      () => undefined,
    );
    expect(large === undefined || large.status === 413).toBe(true);
    expect((await fetch(chain.rpcUrl)).status).toBe(405);
    expect(await post({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] })).toMatchObject({
      result: '0x0',
    });
  });
});

async function post(call: unknown): Promise<unknown> {
  return (await postText(JSON.stringify(call))).body;
}

async function postText(body: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(chain.rpcUrl, { method: 'POST', body });
  return { status: response.status, body: await response.json() };
}
