// Which chain a node of EVM is on: its chain id, and its first block where one is stated.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { invalidAnswer } from '../rpc/invalid-answer.ts';
import { readHeader } from './block/header.ts';
import type { JsonRpc } from './json-rpc.ts';
import { numberIn } from './quantity.ts';

/** Throws Outage 'invalid' where the provider is on another chain. */
export async function proveIdentity(
  rpc: JsonRpc,
  { chainId, genesisHash }: Pick<ChainDefinition, 'chainId' | 'genesisHash'>,
): Promise<void> {
  const reported = numberIn(await rpc.call('eth_chainId', []));
  if (reported !== chainId)
    throw invalidAnswer(`is on the wrong chain: its chain id is ${reported}, ${chainId} is wanted`);
  if (genesisHash === null) return;
  const answer = await rpc.read('eth_getBlockByNumber', ['0x0', false]);
  if (answer === null) throw invalidAnswer('has no block 0, so its chain cannot be known');
  const { hash } = readHeader(answer.tape, answer.place).header;
  if (hash !== genesisHash.toLowerCase())
    throw invalidAnswer(`is on the wrong chain: its block 0 is ${hash}, ${genesisHash} is wanted`);
}
