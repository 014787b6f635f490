// What a block holds once it cannot change any more: what two endpoints tell alike where two are configured.
import type { Transfer } from '@ducat/core/chain/transfer';
import { unitsOf } from '@ducat/core/money/amount';
import type { ChainBlock, Untraced } from '../port.ts';
import { Outage, type OutageKind } from '../../outage.ts';
import type { EndpointPool } from '../endpoint/endpoint-pool.ts';
import type { TronEndpoint } from './endpoint.ts';
import { tellBlock, type ToldBlock, unprovenRoot } from './read-block.ts';
import { tellUnshown } from './tell-unshown.ts';
import { UnshownBlock } from './unshown-blocks.ts';
import type { Watched } from './watched.ts';

/** What one endpoint told of the block. */
interface Opinion {
  readonly name: string;
  /** Whether its transactions were shown. */
  readonly isShown: boolean;
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
      const told = await tellSolid(endpoint, chain, number, watched, needed);
      // What a block does not prove of itself takes two, however few are configured.
      // mark: unproven-takes-two
      if (told.unproven !== null && needed < 2) throw unprovenRoot(number);
      return opinionOf(endpoint, told);
    },
    (some) =>
      !hearsAll &&
      agreed(
        some.map(({ value }) => value).filter(({ isShown }) => isShown),
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
  // Whoever can show it is heard first.
  const shown = opinions.filter(({ isShown }) => isShown);
  const block = agreed(shown, needed) ?? agreed(opinions, needed);
  if (block !== null) return block;
  if (opinions.length < needed) throw endpoints.outage(failures);
  const what = `disagree on what moved in block ${number}`;
  throw new Disagreement(`${chain}: the endpoints ${what}: ${names}`, 'disagreement');
}

interface ToldSolid extends ToldBlock {
  readonly isShown: boolean;
}

/** Throws UnshownBlock where the block is not shown, and nobody else is needed or it may be shown in a moment. */
async function tellSolid(
  endpoint: TronEndpoint,
  chain: string,
  number: number,
  watched: Watched,
  needed: number,
): Promise<ToldSolid> {
  try {
    return { ...(await tellBlock(endpoint, 'solid', chain, number, watched)), isShown: true };
  } catch (error) {
    // mark: unshown-takes-two
    if (!(error instanceof UnshownBlock) || needed < 2 || !error.unshown.isSettled) throw error;
    const { unshown } = error;
    const told = await endpoint.withRoom('solid', (api) => tellUnshown(api, chain, unshown, watched));
    return { ...told, isShown: false };
  }
}

function opinionOf({ name }: TronEndpoint, { block, unproven, isShown }: ToldSolid): Opinion {
  const { header, transfers, untraced } = block;
  const isInner = ({ position }: Transfer): boolean => position.startsWith('inner:');
  // Why a block cannot be shown may differ: one node fails to print what is too large at another.
  const reasons = isShown ? untraced : [];
  // What is odd about inner transfers is told by those alone who keep them.
  const isInnerReason = ({ reason }: Untraced): boolean => reason === 'unclear-inner';
  const outer = [
    header.hash,
    unproven ?? '',
    ...reasonsOf(reasons.filter((one) => !isInnerReason(one))),
    ...textsOf(transfers.filter((one) => !isInner(one))),
  ];
  return {
    name,
    isShown,
    block,
    outer: outer.join('\n'),
    inner: [...reasonsOf(reasons.filter(isInnerReason)), ...textsOf(transfers.filter(isInner))].join('\n'),
  };
}

function reasonsOf(untraced: readonly Untraced[]): readonly string[] {
  return untraced.map(({ txId, reason }) => `${txId} ${reason}`);
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
