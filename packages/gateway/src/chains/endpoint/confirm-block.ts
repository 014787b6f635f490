// A block that the books say cannot be: whoever told of it alone is not believed, and rests.
import type { BlockReference } from '../port.ts';
import { Outage } from '../../outage.ts';
import type { EndpointPool } from './endpoint-pool.ts';
import { LyingNode } from './lying-node.ts';
import type { ToldBy } from './told-by.ts';
import type { WatchedEndpoint } from './watched-endpoint.ts';

export interface DoubtedBlock {
  readonly block: BlockReference;
  /** What is wrong with it, to go on after "a block that". */
  readonly doubt: string;
}

/** See ChainPort.confirmBlock. `hashAt` gives the hash that an endpoint has at a height, proved right. */
export async function confirmBlock<E extends WatchedEndpoint>(
  endpoints: EndpointPool<E>,
  toldBy: ToldBy<E>,
  hashAt: (endpoint: E, number: number) => Promise<string>,
  { block, doubt }: DoubtedBlock,
): Promise<void> {
  const needed = Math.min(2, endpoints.count);
  const { answers } = await endpoints.collect(
    (endpoint) => hashAt(endpoint, block.number),
    (some) => some.filter(({ value }) => value === block.hash).length >= needed,
  );
  const holders = answers.filter(({ value }) => value === block.hash).map(({ endpoint }) => endpoint);
  if (holders.length >= needed) return;
  const teller = toldBy.of(block);
  const alone = new Set(teller === null ? holders : [teller, ...holders]);
  const reason = `told of block ${block.number} ${block.hash}, a block that ${doubt}`;
  for (const endpoint of alone) endpoint.distrust(new LyingNode(reason, undefined, 'repeated-transfer'));
  const names = [...alone].map(({ name }) => name).join(' and ') || 'an endpoint';
  throw new Outage(`${names} ${reason}, and no second endpoint has it`, {
    retryable: true,
    kind: 'repeated-transfer',
  });
}
