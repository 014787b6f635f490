// Reads blocks made from any bytes as the Tron adapter reads those of a node.
import { unitsOf } from '@ducat/core/money/amount';
import type { ChainBlock, UntracedReason } from '@ducat/gateway/chains/port';
import { realWorld } from '@ducat/gateway/runtime/world';
import { TronEndpoint } from '@ducat/gateway/chains/tron/endpoint';
import type { NodeApi } from '@ducat/gateway/chains/tron/node-api';
import { readBlock, tellBlock, type ToldBlock } from '@ducat/gateway/chains/tron/read-block';
import { watchedOf } from '@ducat/gateway/chains/tron/watched';
import { testCurrency, testDefinition } from '../test-currencies.ts';
import { type MinedBytes, mineBytes, ownerHex, rawAround, recipientHex } from './tron-bytes.ts';

export const tokenHex = `41${'c'.repeat(40)}`;
/** The height of every block that is read here. */
export const height = 7;
/** Five units of the token, as a receipt logs them. */
export const tokenLog = {
  address: tokenHex.slice(2),
  topics: [
    'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
    '0'.repeat(24) + ownerHex.slice(2),
    '0'.repeat(24) + recipientHex.slice(2),
  ],
  data: '5'.padStart(64, '0'),
};

const watched = watchedOf([testCurrency(1000, null), testCurrency(1001, tokenHex)], 'debug');

export const transfer = (payload: string): string => rawAround(1, 'TransferContract', payload);
export const call = (payload: string): string => rawAround(31, 'TriggerSmartContract', payload);

export function readBytes(...mined: MinedBytes[]): Promise<ChainBlock> {
  return readBlock(endpointOf(mined), 'full', 'TRON', height, watched);
}

/** The same of the solid view; `change` is what the node does to the block. */
export function tellBytes(
  mined: readonly MinedBytes[],
  change?: (block: object) => object,
): Promise<ToldBlock> {
  return tellBlock(endpointOf(mined, change), 'solid', 'TRON', height, watched);
}

/** Recipients with their units, in the order of the block. */
export function paid({ transfers }: ChainBlock): readonly string[] {
  return transfers.map(({ to, amount }) => `${to} ${unitsOf(amount)}`);
}

export function reasons({ untraced }: ChainBlock): readonly UntracedReason[] {
  return untraced.map(({ reason }) => reason);
}

function endpointOf(
  mined: readonly MinedBytes[],
  change: (block: object) => object = (block) => block,
): TronEndpoint {
  const { block, receipts } = mineBytes(height, mined);
  const api: NodeApi = (name) => Promise.resolve(name === 'getblockbynum' ? change(block) : receipts);
  return new TronEndpoint({
    name: 'node',
    full: api,
    solid: api,
    unhurried: { full: api, solid: api },
    definition: testDefinition({ family: 'tron' }),
    world: realWorld,
  });
}
