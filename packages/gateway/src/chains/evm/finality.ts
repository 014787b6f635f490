// The newest block that is final, on whose hash two endpoints agree where two or more are configured.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { BlockReference } from '../port.ts';
import { Outage } from '../../outage.ts';
import type { Endpoint } from './endpoint.ts';
import type { Endpoints, Failure } from './endpoints.ts';
import { missing } from './expect-block.ts';
import type { HeaderTrust } from './header-trust.ts';
import { LyingNode } from './lying-node.ts';
import { headerAnswer, quantityAnswer, toQuantity } from './raw-block.ts';
import { NodeError } from './rpc.ts';

interface Opinion {
  readonly endpoint: Endpoint;
  /** At and below which the endpoint calls blocks final, at most what was asked; -1 where nothing is. */
  readonly height: number;
}

// geth's code where nothing is final yet; others answer null.
const finalityUnknown = -39001;

/** See ChainPort.finalBlock. Endpoints that lag, lie or fail are outvoted as long as two others agree. */
export async function findFinalBlock(
  endpoints: Endpoints,
  definition: ChainDefinition,
  trust: HeaderTrust,
  atMost: number,
): Promise<BlockReference | null> {
  if (atMost < 0) return null;
  const needed = Math.min(2, endpoints.count);
  const opinions = await askHeights(endpoints, definition, needed, atMost);
  // From the highest block that enough of them call final downwards.
  const heights = opinions.map(({ height }) => height).sort((a, b) => b - a);
  const candidates = new Set(heights.slice(needed - 1));
  const votes: string[] = [];
  const failures: Failure[] = [];
  for (const height of candidates) {
    if (height < 0 && votes.length === 0) return null;
    if (height < 0) break;
    const counted = new Map<string, number>();
    for (const { endpoint } of opinions.filter((opinion) => opinion.height >= height)) {
      const vote = await voteOf(endpoint, height, trust);
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
  });
}

/** What each endpoint calls final. Throws where not enough of them have finality of their own. */
async function askHeights(
  endpoints: Endpoints,
  { name, nodeFinality }: ChainDefinition,
  needed: number,
  atMost: number,
): Promise<readonly Opinion[]> {
  const opinions = await endpoints.askAll(needed, async (endpoint) => ({
    endpoint,
    ...(nodeFinality === 'finalized' ? await ownFinality(endpoint) : { height: atMost, head: Infinity }),
  }));
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

/** The height of the node's `finalized`, -1 where nothing is final yet, and its head, asked for afterwards. */
async function ownFinality(endpoint: Endpoint): Promise<{ readonly height: number; readonly head: number }> {
  const final = headerAnswer(await finalizedHeader(endpoint));
  const height = final === null ? -1 : quantityAnswer(final.number);
  return { height, head: await endpoint.askHead() };
}

async function finalizedHeader(endpoint: Endpoint): Promise<unknown> {
  try {
    return await endpoint.rpc.call('eth_getBlockByNumber', ['finalized', false]);
  } catch (error) {
    if (error instanceof NodeError && error.code === finalityUnknown) return null;
    throw error;
  }
}

/** The hash that the endpoint has at that height, or why it does not tell. */
async function voteOf(endpoint: Endpoint, height: number, trust: HeaderTrust): Promise<string | Outage> {
  try {
    return await endpoint.run((one) => hashAt(one, height, trust));
  } catch (error) {
    if (error instanceof Outage) return error;
    throw error;
  }
}

async function hashAt(endpoint: Endpoint, number: number, trust: HeaderTrust): Promise<string> {
  const header = headerAnswer(await endpoint.rpc.call('eth_getBlockByNumber', [toQuantity(number), false]));
  if (header === null) throw await missing(endpoint, number);
  if (quantityAnswer(header.number) !== number)
    throw new LyingNode(`answered with another block than ${number}`);
  await trust.check(header);
  return header.hash.toLowerCase();
}
