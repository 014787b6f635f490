// What a block holds once it cannot change any more: what two endpoints tell alike where two are configured.
import type { Transfer } from '@ducat/core/chain/transfer';
import { unitsOf } from '@ducat/core/money/amount';
import type { ChainBlock } from '../port.ts';
import { Outage, type OutageKind } from '../../outage.ts';
import type { EndpointPool } from '../endpoint/endpoint-pool.ts';
import type { TronEndpoint } from './endpoint.ts';
import { tellBlock, type ToldBlock, unprovenRoot } from './read-block.ts';
import type { Watched } from './watched.ts';

/** What one endpoint told of the block. */
interface Opinion {
  readonly name: string;
  readonly block: ChainBlock;
  /** What its transactions moved by themselves, as one text, with all that is known of them. */
  readonly outer: string;
  /** What contracts sent on inside them, the same way. */
  readonly inner: string;
}

/** The endpoints answered, and do not tell the same. */
export class Disagreement extends Outage {
  constructor(reason: string, kind: OutageKind) {
    super(reason, { retryable: true, kind });
  }
}

/**
 * Logs and inner transfers are in no root, so two have to tell the same. About inner transfers nobody is outvoted:
 * nodes that do not keep them tell alike that there are none, so every endpoint is heard. Throws Disagreement that
 * names the sides, else Outage.
 */
export async function readSolid(
  endpoints: EndpointPool<TronEndpoint>,
  chain: string,
  number: number,
  watched: Watched,
): Promise<ChainBlock> {
  const needed = Math.min(2, endpoints.count);
  const hearsAll = watched.inner && watched.native !== null;
  const { answers, failures } = await endpoints.collect(
    async (endpoint) => {
      await endpoint.proveSolid();
      const told = await tellBlock(endpoint, 'solid', chain, number, watched);
      // What a block does not prove of itself takes two, however few are configured.
      // mark: unproven-takes-two
      if (told.unproven !== null && needed < 2) throw unprovenRoot(number);
      return opinionOf(endpoint, told);
    },
    (some) =>
      !hearsAll &&
      agreed(
        some.map(({ value }) => value),
        needed,
      ) !== null,
  );
  const opinions = answers.map(({ value }) => value);
  const alike = groupBy(opinions, ({ outer }) => outer);
  const split = alike.find((group) => new Set(group.map(({ inner }) => inner)).size > 1);
  const names = (split ?? opinions).map(({ name }) => name).join(' and ');
  // mark: inner-transfers-are-no-vote
  if (split !== undefined) {
    const what = `tell the same of block ${number}, but not what contracts sent in it`;
    throw new Disagreement(`${chain}: the endpoints ${names} ${what}`, 'inner-disagreement');
  }
  const block = agreed(opinions, needed);
  if (block !== null) return block;
  if (opinions.length < needed) throw endpoints.outage(failures);
  const what = `disagree on what moved in block ${number}`;
  throw new Disagreement(`${chain}: the endpoints ${what}: ${names}`, 'disagreement');
}

function opinionOf({ name }: TronEndpoint, { block, unproven }: ToldBlock): Opinion {
  const { header, transfers, untraced } = block;
  const isInner = ({ position }: Transfer): boolean => position.startsWith('inner:');
  const unclear = untraced.map(({ txId, reason }) => `${txId} ${reason}`);
  const outer = [
    header.hash,
    unproven ?? '',
    ...unclear,
    ...textsOf(transfers.filter((one) => !isInner(one))),
  ];
  return { name, block, outer: outer.join('\n'), inner: textsOf(transfers.filter(isInner)).join('\n') };
}

function textsOf(transfers: readonly Transfer[]): readonly string[] {
  return transfers.map(
    ({ txId, position, from, to, amount }) =>
      `${txId} ${position} ${from} ${to} ${amount.currencyId} ${unitsOf(amount)}`,
  );
}

function agreed(opinions: readonly Opinion[], needed: number): ChainBlock | null {
  const groups = groupBy(opinions, ({ outer, inner }) => `${outer}\n\n${inner}`);
  return groups.find((group) => group.length >= needed)?.[0]?.block ?? null;
}

function groupBy(
  opinions: readonly Opinion[],
  key: (opinion: Opinion) => string,
): readonly (readonly Opinion[])[] {
  return [...new Set(opinions.map(key))].map((one) => opinions.filter((opinion) => key(opinion) === one));
}
