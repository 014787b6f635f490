// The newest block that is final, on whose hash two endpoints agree where two or more are configured.
import { type ChainDefinition, finalByCount } from '@ducat/core/chain/chain';
import type { BlockReference } from '../port.ts';
import { Outage } from '../../runtime/outage.ts';
import { putAside } from './put-aside.ts';
import type { EndpointFailure, EndpointPool } from './endpoint-pool.ts';
import type { WatchedEndpoint } from './watched-endpoint.ts';

/** How an endpoint of a family is asked about finality. */
export interface FinalityQuestions<E> {
  /** The height up to which the node itself calls blocks final, -1 for none, and its head, asked for afterwards. */
  ownFinality(endpoint: E): Promise<{ readonly height: number; readonly head: number }>;
  /** The hash at that height, proved right. Throws Outage where the endpoint has no such block. */
  hashAt(endpoint: E, number: number): Promise<string>;
  /** The same from where blocks are read before they are final, where that is another view of the node. */
  shownAt?(endpoint: E, number: number): Promise<string>;
}

interface Opinion<E> {
  readonly endpoint: E;
  /**
   * At and below which the endpoint calls blocks final and has confirmations above them, at most what was asked; below 0
   * where nothing is.
   */
  readonly height: number;
}

interface Round<E extends WatchedEndpoint> {
  readonly endpoints: EndpointPool<E>;
  readonly definition: ChainDefinition;
  readonly questions: FinalityQuestions<E>;
  readonly needed: number;
  readonly atMost: number;
}

interface Agreed {
  readonly block: BlockReference | null;
  /** The most that anybody who was heard calls final, at most what was asked. */
  readonly highest: number;
}

/** Further than this below what another endpoint calls final, what some agree on may only be one that stands still. */
const mostTrailing = 20;

/**
 * See ChainPort.finalBlock. Endpoints that lag, lie or fail are outvoted as long as two others agree. Those that are spare
 * are heard where the others do not agree, or only on what another one is far beyond.
 */
export async function agreeOnFinal<E extends WatchedEndpoint>(
  endpoints: EndpointPool<E>,
  definition: ChainDefinition,
  questions: FinalityQuestions<E>,
  atMost: number,
): Promise<BlockReference | null> {
  if (atMost < 0) return null;
  const needed = Math.min(2, endpoints.count);
  const round = { endpoints, definition, questions, needed, atMost };
  const { block } = (await agreeWithoutSpare(round)) ?? (await agreeAmong(round, () => true));
  return block;
}

/** Null where that takes those that are spare, or none is. */
async function agreeWithoutSpare<E extends WatchedEndpoint>(round: Round<E>): Promise<Agreed | null> {
  const isSpare = round.endpoints.map((endpoint) => endpoint.isSpare);
  const isUsed = round.endpoints.map((endpoint) => endpoint.available && !endpoint.isSpare);
  if (!isSpare.includes(true) || isUsed.filter(Boolean).length < round.needed) return null;
  try {
    const agreed = await agreeAmong(round, (endpoint) => !endpoint.isSpare);
    const { block, highest } = agreed;
    // mark: spare-beside-one-that-trails
    return block !== null && block.number + mostTrailing >= highest ? agreed : null;
  } catch (error) {
    if (error instanceof Outage) return null;
    throw error;
  }
}

/** What those agree on that are used. Throws Outage where too few of them tell, or not alike. */
async function agreeAmong<E extends WatchedEndpoint>(
  round: Round<E>,
  isUsed: (endpoint: E) => boolean,
): Promise<Agreed> {
  const { endpoints, definition, questions, needed } = round;
  const opinions = await askHeights(round, isUsed);
  // From the highest block that enough of them call final downwards.
  const heights = opinions.map(({ height }) => height).sort((a, b) => b - a);
  const [highest = -1] = heights;
  const candidates = new Set(heights.slice(needed - 1));
  const votes: string[] = [];
  const failures: EndpointFailure<E>[] = [];
  for (const height of candidates) {
    if (height < 0 && votes.length === 0) return { block: null, highest };
    if (height < 0) break;
    const counted = new Map<E, string>();
    const voters = opinions.filter((opinion) => opinion.height >= height).map(({ endpoint }) => endpoint);
    for (const endpoint of voters) {
      const vote = await voteOf(endpoint, height, round, voters.length > needed);
      if (vote instanceof Outage) {
        failures.push({ endpoint, error: vote });
        continue;
      }
      counted.set(endpoint, vote);
      const count = [...counted.values()].filter((one) => one === vote).length;
      const block = { number: height, hash: vote };
      if (count === needed) await putAside(endpoints, questions, block, counted);
      if (count === needed) return { block, highest };
      votes.push(`${endpoint.name} says ${vote} for block ${height}`);
    }
  }
  if (votes.length < needed) throw endpoints.outage(failures);
  throw new Outage(`${definition.name}: the endpoints disagree on final block: ${votes.join(', ')}`, {
    retryable: true,
    kind: 'disagreement',
  });
}

/** What each of those that are used calls final. Throws where not enough of them have finality of their own. */
async function askHeights<E extends WatchedEndpoint>(
  { endpoints, definition, questions, needed, atMost }: Round<E>,
  isUsed: (endpoint: E) => boolean,
): Promise<readonly Opinion<E>[]> {
  const { name, nodeFinality } = definition;
  const { answers, failures, tookMs } = await endpoints.collect(
    async (endpoint) => ({
      endpoint,
      ...(nodeFinality === 'finalized'
        ? await questions.ownFinality(endpoint)
        : { height: atMost, head: await endpoint.askHead() }),
    }),
    (_, next) => !isUsed(next),
  );
  for (const [endpoint, ms] of tookMs) {
    const sooner = answers.filter((one) => (tookMs.get(one.endpoint) ?? 0) < ms);
    endpoint.noteTime('what is final', ms, () => sooner.length >= needed);
  }
  if (answers.length < needed) throw endpoints.outage(failures);
  const opinions = answers.map(({ value }) => value);
  if (nodeFinality === 'finalized') {
    const highest = Math.max(...opinions.map(({ height }) => height));
    for (const { endpoint, height } of opinions) endpoint.noteFinality(height, highest);
  }
  // Small chains and dev nodes call their newest block final, which is no finality at all. It is not held
  // against the endpoint, which can still be read from.
  const own = opinions.filter(({ height, head }) => nodeFinality === 'none' || height <= 0 || height < head);
  const without = opinions.find((opinion) => !own.includes(opinion));
  if (own.length < needed && without !== undefined) {
    const { endpoint, height } = without;
    const reason = `${endpoint.name} calls its newest block ${height} finalized, so it has no finality of its own`;
    throw new Outage(`${name}: ${reason}`, { retryable: true });
  }
  // Whoever made blocks up above the others' head confirms nothing for them.
  return own.map(({ endpoint, height, head }) => ({
    endpoint,
    height: Math.min(height, atMost, finalByCount(definition, head)),
  }));
}

/** The hash that the endpoint has at that height, or why it does not tell; `isBeyond` where enough could vote without it. */
async function voteOf<E extends WatchedEndpoint>(
  endpoint: E,
  height: number,
  { questions }: Round<E>,
  isBeyond: boolean,
): Promise<string | Outage> {
  const tookMs = endpoint.startTiming();
  try {
    return await endpoint.run((one) => questions.hashAt(one, height));
  } catch (error) {
    if (error instanceof Outage) return error;
    throw error;
  } finally {
    endpoint.noteTime('what is final', tookMs(), () => isBeyond);
  }
}
