// What a block holds once it cannot change any more: every endpoint that is needed is asked, and the answers are weighed.
import type { ChainBlock } from '../port.ts';
import type { EndpointAnswer, EndpointPool } from '../endpoint/endpoint-pool.ts';
import type { TronEndpoint } from './endpoint.ts';
import { tellBlock, unprovenRoot } from './read-block.ts';
import { tellUnshown } from './tell-unshown.ts';
import { UnshownBlock } from './unshown-blocks.ts';
import type { Watched } from './watched.ts';
import { isPlain, type ToldSolid, type Weighing, weighSolid } from './weigh-solid.ts';

/**
 * Logs and inner transfers are in no root, so two have to tell the same. About inner transfers nobody is outvoted, so
 * every endpoint is heard, but for one that keeps others waiting who keep them too. Throws Disagreement that names the
 * sides, else Outage.
 */
export async function readSolid(
  endpoints: EndpointPool<TronEndpoint>,
  chain: string,
  number: number,
  watched: Watched,
): Promise<ChainBlock> {
  const { count: configured } = endpoints;
  const weighing: Weighing = { chain, number, watched, needed: Math.min(2, configured), configured };
  const hearsAll = watched.inner && watched.native !== null;
  const { answers, failures, tookMs } = await endpoints.collect(
    async (endpoint) => {
      await endpoint.proveSolid();
      return tellSolid(endpoint, weighing);
    },
    (some, next) => (!hearsAll || next.isSpare) && settle(weighing, some),
  );
  for (const [endpoint, ms] of tookMs) {
    const sooner = answers.filter((one) => (tookMs.get(one.endpoint) ?? 0) < ms);
    endpoint.noteTime('a block', ms, () => settle(weighing, sooner));
  }
  if (answers.length < weighing.needed) throw endpoints.outage(failures);
  return weighSolid(
    weighing,
    answers.map(({ value }) => value),
  );
}

/** Whether nobody else has to be heard: of inner transfers those are believed that have shown that they keep them. */
function settle(weighing: Weighing, answers: readonly EndpointAnswer<TronEndpoint, ToldSolid>[]): boolean {
  const { inner, native } = weighing.watched;
  // mark: spare-beside-those-who-keep-inner
  const able = answers.filter(({ endpoint }) => endpoint.showsInternal || !inner || native === null);
  return isPlain(
    weighing,
    able.map(({ value }) => value),
  );
}

/** Throws UnreadableBlock where something is not shown or proven, and nobody else is there to say the same. */
async function tellSolid(
  endpoint: TronEndpoint,
  { chain, number, watched, needed }: Weighing,
): Promise<ToldSolid> {
  const { name } = endpoint;
  try {
    const told = await tellBlock(endpoint, 'solid', chain, number, watched);
    // What a block does not prove of itself takes two, however few are configured.
    // mark: unproven-takes-two
    if (told.unproven !== null && needed < 2) throw unprovenRoot(number);
    if (told.unshownReceipts !== null && needed < 2) throw told.unshownReceipts;
    return { ...told, name, unshownBlock: null };
  } catch (error) {
    // mark: unshown-takes-two
    if (!(error instanceof UnshownBlock) || needed < 2) throw error;
    const told = await endpoint.withRoom('solid', (api) =>
      tellUnshown({ endpoint, view: 'solid', api }, chain, error.unshown, watched),
    );
    return { ...told, name, unshownBlock: error };
  }
}
