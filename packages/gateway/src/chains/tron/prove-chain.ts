// Whether a provider is on the chain that is meant, and has all of it.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { invalidAnswer } from '../rpc/invalid-answer.ts';
import { headerAt, headOf } from './block/header.ts';
import type { HttpApi } from './wire/http-api.ts';

const chainIdDigits = 8;

/** Throws Outage 'invalid' where the node is on another chain or lacks old blocks. */
export async function proveChain(
  api: HttpApi,
  { chainId, genesisHash }: Pick<ChainDefinition, 'chainId' | 'genesisHash'>,
): Promise<void> {
  const genesis = await headerAt(api, 0);
  if (genesis === null)
    throw invalidAnswer('is a lite node: it has no block 0, so its chain cannot be known');
  const { hash } = genesis.header;
  const seen = Number.parseInt(hash.slice(-chainIdDigits), 16);
  if (seen !== chainId)
    throw invalidAnswer(`is on the wrong chain: its chain id is ${seen}, ${chainId} is wanted`);
  const wanted = genesisHash?.toLowerCase().replace(/^0x/, '') ?? hash;
  if (hash !== wanted)
    throw invalidAnswer(`is on the wrong chain: its block 0 is ${hash}, ${wanted} is wanted`);
  // Block 0 is in every database; a node that dropped the blocks after it cannot be read from there.
  if ((await headerAt(api, 1)) === null && (await headOf(api)) > 0)
    throw invalidAnswer('is a lite node: it has no block 1, so it lacks old blocks');
}
