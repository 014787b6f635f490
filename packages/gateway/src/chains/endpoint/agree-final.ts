// The newest block that is final, on whose hash two endpoints agree where two or more are configured.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { BlockReference } from '../port.ts';
import { Outage } from '../../outage.ts';
import type { EndpointFailure, EndpointPool } from './endpoint-pool.ts';
import type { WatchedEndpoint } from './watched-endpoint.ts';

/** How an endpoint of a family is asked about finality. */
export interface FinalityQuestions<E> {
  /** The height up to which the node itself calls blocks final, -1 for none, and its head, asked for afterwards. */
  ownFinality(endpoint: E): Promise<{ readonly height: number; readonly head: number }>;
  /** The hash at that height, proved right. Throws Outage where the endpoint has no such block. */
  hashAt(endpoint: E, number: number): Promise<string>;
}

interface Opinion<E> {
  readonly endpoint: E;
  /** At and below which the endpoint calls blocks final, at most what was asked; -1 where nothing is. */
  readonly height: number;
}

/** See ChainPort.finalBlock. Endpoints that lag, lie or fail are outvoted as long as two others agree. */
export async function agreeOnFinal<E extends WatchedEndpoint>(
  endpoints: EndpointPool<E>,
  definition: ChainDefinition,
  questions: FinalityQuestions<E>,
  atMost: number,
): Promise<BlockReference | null> {
  if (atMost < 0) return null;
  const needed = Math.min(2, endpoints.count);
  const opinions = await askHeights(endpoints, definition, questions, needed, atMost);
  // From the highest block that enough of them call final downwards.
  const heights = opinions.map(({ height }) => height).sort((a, b) => b - a);
  const candidates = new Set(heights.slice(needed - 1));
  const votes: string[] = [];
  const failures: EndpointFailure<E>[] = [];
  for (const height of candidates) {
    if (height < 0 && votes.length === 0) return null;
    if (height < 0) break;
    const counted = new Map<string, number>();
    for (const { endpoint } of opinions.filter((opinion) => opinion.height >= height)) {
      const vote = await voteOf(endpoint, height, questions);
      if (vote instanceof Outage) {
        failures.push({ endpoint, error: vote });
        continue;
      }
      const count = (counted.get(vote) ?? 0) + 1;
      if (count === needed) return { number: height, hash: vote };
      counted.set(vote, count);
      votes.push(`${endpoint.name} says ${vote} for block ${height}`);
    }
  }
  if (votes.length < needed) throw endpoints.outage(failures);
  throw new Outage(`${definition.name}: the endpoints disagree on final block: ${votes.join(', ')}`, {
    retryable: true,
    kind: 'disagreement',
  });
}

/** What each endpoint calls final. Throws where not enough of them have finality of their own. */
async function askHeights<E extends WatchedEndpoint>(
  endpoints: EndpointPool<E>,
  { name, nodeFinality }: ChainDefinition,
  questions: FinalityQuestions<E>,
  needed: number,
  atMost: number,
): Promise<readonly Opinion<E>[]> {
  const opinions = await endpoints.askAll(needed, async (endpoint) => ({
    endpoint,
    ...(nodeFinality === 'finalized'
      ? await questions.ownFinality(endpoint)
      : { height: atMost, head: Infinity }),
  }));
  if (nodeFinality === 'finalized') {
    const highest = Math.max(...opinions.map(({ height }) => height));
    for (const { endpoint, height } of opinions) endpoint.noteFinality(height, highest);
  }
  // Small chains and dev nodes call their newest block final, which is no finality at all. It is not held
  // against the endpoint, which can still be read from.
  const own = opinions.filter(({ height, head }) => height <= 0 || height < head);
  const without = opinions.find((opinion) => !own.includes(opinion));
  if (own.length < needed && without !== undefined) {
    const { endpoint, height } = without;
    const reason = `${endpoint.name} calls its newest block ${height} finalized, so it has no finality of its own`;
    throw new Outage(`${name}: ${reason}`, { retryable: true });
  }
  return own.map(({ endpoint, height }) => ({ endpoint, height: Math.min(height, atMost) }));
}

/** The hash that the endpoint has at that height, or why it does not tell. */
async function voteOf<E extends WatchedEndpoint>(
  endpoint: E,
  height: number,
  questions: FinalityQuestions<E>,
): Promise<string | Outage> {
  try {
    return await endpoint.run((one) => questions.hashAt(one, height));
  } catch (error) {
    if (error instanceof Outage) return error;
    throw error;
  }
}
