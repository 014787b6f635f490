// A block that is in doubt: two endpoints have it, or whoever told of it alone is not believed, and rests.
import type { BlockReference, DoubtKind } from '../port.ts';
import { Outage } from '../../runtime/outage.ts';
import type { EndpointAnswer, EndpointPool } from './endpoint-pool.ts';
import { LyingNode } from './lying-node.ts';
import type { ToldBy } from './told-by.ts';
import type { WatchedEndpoint } from './watched-endpoint.ts';

export interface DoubtedBlock {
  readonly block: BlockReference;
  /** What is wrong with it, to go on after "a block that". */
  readonly doubt: string;
  /** See ChainPort.confirmBlock; that it repeats a transfer unless given. */
  readonly kind?: DoubtKind | undefined;
}

/** See ChainPort.confirmBlock. `hashAt` gives the hash that an endpoint has at a height, proved right. */
export async function confirmBlock<E extends WatchedEndpoint>(
  endpoints: EndpointPool<E>,
  toldBy: ToldBy<E>,
  hashAt: (endpoint: E, number: number) => Promise<string>,
  { block, doubt, kind = 'repeated-transfer' }: DoubtedBlock,
): Promise<void> {
  const needed = Math.min(2, endpoints.count);
  // What the only one says anew of its chain is what it says.
  if (endpoints.count < 2 && kind === 'disagreement') return;
  const { answers, failures } = await endpoints.collect(
    (endpoint) => hashAt(endpoint, block.number),
    (some) => holdersAmong(some, block.hash).length >= needed,
  );
  const holders = holdersAmong(answers, block.hash);
  if (holders.length >= needed) return;
  const teller = toldBy.of(block);
  const alone = new Set(teller === null ? holders : [teller, ...holders]);
  const names = [...alone].map(({ name }) => name).join(' and ') || 'an endpoint';
  const reason = `told of block ${block.number} ${block.hash}, a block that ${doubt}`;
  if (kind === 'repeated-transfer') {
    for (const endpoint of alone) endpoint.distrust(new LyingNode(reason, undefined, kind));
    throw new Outage(`${names} ${reason}, and no second endpoint has it`, { retryable: true, kind });
  }
  // Two others have to say so: of two endpoints nobody knows which one is wrong, and one may only be away.
  const others = answers.filter(({ endpoint }) => !alone.has(endpoint)).map(({ value }) => value);
  const agreed = others.find((hash, place) => others.indexOf(hash) !== place);
  if (agreed !== undefined) {
    for (const endpoint of alone) {
      const shown = answers.find((answer) => answer.endpoint === endpoint)?.value;
      // Who shows the right one by now may have seen a fork.
      if (shown !== agreed) endpoint.distrust(new LyingNode(reason));
      endpoint.noteShift(new LyingNode(reason));
    }
  }
  const tried = failures.map(({ endpoint, error }) => `; ${endpoint.name} ${error.message}`).join('');
  throw new Outage(`${names} ${reason}, and no second endpoint has it${tried}`, {
    retryable: true,
    ...(others.length > 0 ? { kind } : {}),
  });
}

function holdersAmong<E>(answers: readonly EndpointAnswer<E, string>[], hash: string): readonly E[] {
  return answers.filter(({ value }) => value === hash).map(({ endpoint }) => endpoint);
}
