// Whether an endpoint has a block, the one that is meant; and what it means where it has not.
import type { BlockReference } from '../port.ts';
import { Outage } from '../../outage.ts';
import { BehindHead } from '../endpoint/behind-head.ts';
import type { Endpoint } from './endpoint.ts';
import { headerAnswer, toQuantity } from './raw-block.ts';

/** Throws BehindHead where the endpoint does not have that number yet, Outage where it has another block there. */
export async function expectBlock(endpoint: Endpoint, { number, hash }: BlockReference): Promise<void> {
  const header = headerAnswer(await endpoint.rpc.call('eth_getBlockByNumber', [toQuantity(number), false]));
  if (header === null) throw await missing(endpoint, number);
  if (header.hash.toLowerCase() === hash) return;
  throw new Outage(`has another block ${number} than ${hash}`, { retryable: true });
}

/** What a missing block means: the endpoint is behind and says so, or it contradicts itself. */
export async function missing(endpoint: Endpoint, number: number): Promise<Outage> {
  const head = await endpoint.askHead();
  if (head < number) return new BehindHead(number);
  return new Outage(`tells head ${head} but has no block ${number}`, { retryable: true });
}
