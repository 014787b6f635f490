// Whether an endpoint has a block, the one that is meant; and what it means where it has not.
import type { BlockReference } from '../port.ts';
import { Outage } from '../../runtime/outage.ts';
import { BehindHead } from '../endpoint/behind-head.ts';
import { AnotherBlock } from './another-block.ts';
import type { Endpoint } from './endpoint.ts';
import { headerAnswer, toQuantity } from './raw-block.ts';

/** Throws BehindHead where the endpoint does not have that number yet, AnotherBlock where it has another one there. */
export async function expectBlock(endpoint: Endpoint, block: BlockReference): Promise<void> {
  const { number, hash } = block;
  const header = headerAnswer(await endpoint.rpc.call('eth_getBlockByNumber', [toQuantity(number), false]));
  if (header === null) throw await missing(endpoint, number);
  const shown = header.hash.toLowerCase();
  if (shown !== hash) throw new AnotherBlock(block, shown);
}

/** What a missing block means: the endpoint is behind and says so, or it contradicts itself. */
export async function missing(endpoint: Endpoint, number: number): Promise<Outage> {
  const head = await endpoint.askHead();
  if (head < number) return new BehindHead(number);
  return new Outage(`tells head ${head} but has no block ${number}`, { retryable: true });
}
