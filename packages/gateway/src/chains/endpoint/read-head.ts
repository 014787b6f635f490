// The head of a chain, by the endpoint that is preferred or by those that are ahead of it.
import { Outage } from '../../runtime/outage.ts';
import type { EndpointFailure, EndpointPool } from './endpoint-pool.ts';
import type { WatchedEndpoint } from './watched-endpoint.ts';

/** Where the preferred endpoint gets on, the others are asked this often, and believed for twice as long. */
const askOthersMs = 15_000;

interface Told<E> {
  readonly endpoint: E;
  readonly height: number;
  /** Whether it has told nothing above its highest head for too long. */
  readonly still: boolean;
}

/**
 * The head of the preferred endpoint, or where others are ahead, the second highest: no single one decides that. Where
 * the preferred one has stood still for too long, one other that gets on is enough: a node that lost its peers goes on
 * answering, and only the others show that it is behind. See ChainPort.head for `isBeginning`.
 */
export async function readHead<E extends WatchedEndpoint>(
  endpoints: EndpointPool<E>,
  isBeginning = false,
): Promise<number> {
  const preferred = await endpoints.ask(async (endpoint) => {
    const tookMs = endpoint.startTiming();
    try {
      const height = await endpoint.askHead();
      return { endpoint, height, still: endpoint.standsStill };
    } finally {
      // Whether others are sooner is not asked here, only where they agree on what is final.
      endpoint.noteTime('its head', tookMs(), () => false);
    }
  });
  if (endpoints.count === 1) return preferred.height;
  const { failures } = await askOthers(endpoints, preferred, isBeginning);
  const told = [preferred, ...othersOf(endpoints, preferred)] as const;
  const head = isBeginning ? beginAmong(endpoints, told, failures) : decide(told);
  // Of two that are far apart nobody knows which is right, so the one that is behind is told of.
  const furthest = told.length > 2 ? head : Math.max(...told.map(({ height }) => height));
  for (const { endpoint } of told) endpoint.noteChainHead(furthest);
  return head;
}

/** What the others told lately. */
function othersOf<E extends WatchedEndpoint>(
  endpoints: EndpointPool<E>,
  preferred: Told<E>,
): readonly Told<E>[] {
  return endpoints
    .map((endpoint) => ({ endpoint, height: endpoint.lastHead.height, still: endpoint.standsStill }))
    .filter(({ endpoint }) => endpoint !== preferred.endpoint && endpoint.available)
    .filter(({ endpoint }) => endpoint.lastHead.ageMs <= 2 * askOthersMs);
}

/** Asks those that have told none lately, or all where the preferred endpoint's head is not enough. */
async function askOthers<E extends WatchedEndpoint>(
  endpoints: EndpointPool<E>,
  preferred: Told<E>,
  isBeginning: boolean,
): Promise<{ readonly failures: readonly EndpointFailure<E>[] }> {
  const [, second = -1] = descending([preferred, ...othersOf(endpoints, preferred)]);
  const wantsAll = isBeginning || preferred.still || preferred.endpoint.isFarBelow(second);
  const due = endpoints
    .map((endpoint) => endpoint)
    .filter((endpoint) => endpoint !== preferred.endpoint && endpoint.available)
    // The lower one of two decides nothing.
    .filter((one) => wantsAll || (endpoints.count > 2 && one.lastHead.ageMs >= askOthersMs));
  const failures: EndpointFailure<E>[] = [];
  for (const isSpare of [false, true]) {
    const asked = due.filter((endpoint) => endpoint.isSpare === isSpare);
    failures.push(...(await askHeads(asked)));
    if (othersOf(endpoints, preferred).length > 0) break;
  }
  return { failures };
}

/** One that keeps two others waiting is spare from then on. */
async function askHeads<E extends WatchedEndpoint>(
  asked: readonly E[],
): Promise<readonly EndpointFailure<E>[]> {
  const failures: EndpointFailure<E>[] = [];
  for (const [place, endpoint] of asked.entries()) {
    const tookMs = endpoint.startTiming();
    try {
      await endpoint.run((one) => one.askHead());
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      failures.push({ endpoint, error });
    }
    // The preferred one has told its head already, and all that were asked and did not fail.
    const isTold = place > failures.filter((failure) => failure.endpoint !== endpoint).length;
    endpoint.noteTime('its head', tookMs(), () => isTold);
  }
  return failures;
}

function decide<E extends WatchedEndpoint>(told: readonly [Told<E>, ...(readonly Told<E>[])]): number {
  const [preferred, ...others] = told;
  const moving = others.filter(({ still }) => !still);
  const [highest = -1] = descending(moving);
  // One that is far above two others, who get on, is alone.
  if (moving.length > 1 && preferred.height > highest + preferred.endpoint.farBlocks) return highest;
  if (!preferred.still) return Math.max(preferred.height, descending([preferred, ...moving])[1] ?? -1);
  // Where nobody gets on it may be the chain.
  const heights = descending(moving.length > 0 ? moving : told);
  const isEnough = moving.length > 0 ? heights.length > 1 : heights.length > 2;
  return Math.max(preferred.height, heights[isEnough ? 1 : 0] ?? -1);
}

/** The highest head that two tell about alike: where a chain begins is never mended, so no single one decides it. */
function beginAmong<E extends WatchedEndpoint>(
  endpoints: EndpointPool<E>,
  told: readonly [Told<E>, ...(readonly Told<E>[])],
  failures: readonly EndpointFailure<E>[],
): number {
  const heights = descending(told);
  const { farBlocks } = told[0].endpoint;
  const begin = heights.find((height, place) => (heights[place - 1] ?? Infinity) - height <= farBlocks);
  if (begin !== undefined) return begin;
  const heads = told.map(({ endpoint, height }) => `${endpoint.name} tells head ${height}`);
  const tried = failures.map(({ endpoint, error }) => `${endpoint.name} ${error.message}`);
  const what = 'where to begin has to be told by two endpoints about alike';
  throw new Outage(`${endpoints.chain}: ${what}: ${[...heads, ...tried].join('; ')}`, {
    retryable: true,
    ...(told.length > 1 ? { kind: 'disagreement' } : {}),
  });
}

function descending(told: readonly Pick<Told<unknown>, 'height'>[]): readonly number[] {
  return told.map(({ height }) => height).sort((a, b) => b - a);
}
