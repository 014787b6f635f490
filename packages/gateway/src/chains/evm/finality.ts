// The newest block that is final, on whose hash two endpoints agree where two are configured.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { BlockReference } from '../port.ts';
import { Outage } from '../../outage.ts';
import type { Endpoint } from './endpoint.ts';
import type { Endpoints } from './endpoints.ts';
import type { HeaderTrust } from './header-trust.ts';
import { headerAnswer, quantityAnswer, toQuantity } from './raw-block.ts';
import { missing } from './read-block.ts';
import { NodeError } from './rpc.ts';

// geth's code where nothing is final yet; others answer null.
const finalityUnknown = -39001;

/** See ChainPort.finalBlock. */
export async function findFinalBlock(
  endpoints: Endpoints,
  definition: ChainDefinition,
  trust: HeaderTrust,
  atMost: number,
): Promise<BlockReference | null> {
  if (atMost < 0) return null;
  const wanted = Math.min(2, endpoints.count);
  const byNode = definition.nodeFinality === 'finalized';
  const opinions = await endpoints.askSeveral(wanted, async (endpoint) => ({
    endpoint,
    ...(byNode ? await ownFinality(endpoint) : { height: atMost, head: Number.POSITIVE_INFINITY }),
  }));
  for (const { endpoint, height, head } of opinions) {
    // Small chains and dev nodes call their newest block final, which is no finality at all. It is not held
    // against the endpoint, which can still be read from.
    if (height === 0 || height < head) continue;
    const reason = `${endpoint.name} calls its newest block ${height} finalized, so it has no finality of its own`;
    throw new Outage(`${definition.name}: ${reason}`, { retryable: true });
  }
  const height = Math.min(atMost, ...opinions.map((opinion) => opinion.height));
  if (height < 0) return null;
  const votes: { readonly name: string; readonly hash: string }[] = [];
  for (const { endpoint } of opinions) {
    const hash = await endpoint.run((one) => hashAt(one, height, trust));
    votes.push({ name: endpoint.name, hash });
  }
  const [first, second] = votes;
  if (first === undefined) return null;
  if (second !== undefined && second.hash !== first.hash) {
    const sides = `${first.name} says ${first.hash}, ${second.name} says ${second.hash}`;
    throw new Outage(`${definition.name}: the endpoints disagree on final block ${height}: ${sides}`, {
      retryable: true,
    });
  }
  return { number: height, hash: first.hash };
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

async function hashAt(endpoint: Endpoint, number: number, trust: HeaderTrust): Promise<string> {
  const header = headerAnswer(await endpoint.rpc.call('eth_getBlockByNumber', [toQuantity(number), false]));
  if (header === null) throw await missing(endpoint, number);
  await trust.check(header);
  return header.hash.toLowerCase();
}
