// What an EVM node itself calls final, and the hash it has there.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { BlockReference } from '../port.ts';
import { agreeOnFinal } from '../endpoint/agree-final.ts';
import { LyingNode } from '../endpoint/lying-node.ts';
import type { Endpoint } from './endpoint.ts';
import type { Endpoints } from './endpoints.ts';
import { missing } from './expect-block.ts';
import type { HeaderTrust } from './header-trust.ts';
import { headerAnswer, quantityAnswer, toQuantity } from './raw-block.ts';
import { NodeError } from './rpc.ts';

// geth's code where nothing is final yet; others answer null.
const finalityUnknown = -39001;

/** See ChainPort.finalBlock. Endpoints that lag, lie or fail are outvoted as long as two others agree. */
export function findFinalBlock(
  endpoints: Endpoints,
  definition: ChainDefinition,
  trust: HeaderTrust,
  atMost: number,
): Promise<BlockReference | null> {
  const questions = { ownFinality, hashAt: (one: Endpoint, number: number) => hashAt(one, number, trust) };
  return agreeOnFinal(endpoints, definition, questions, atMost);
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

/** The hash that an endpoint has at a height, proved right. Throws Outage where it has no such block. */
export async function hashAt(endpoint: Endpoint, number: number, trust: HeaderTrust): Promise<string> {
  const header = headerAnswer(await endpoint.rpc.call('eth_getBlockByNumber', [toQuantity(number), false]));
  if (header === null) throw await missing(endpoint, number);
  if (quantityAnswer(header.number) !== number)
    throw new LyingNode(`answered with another block than ${number}`);
  await trust.check(endpoint, header);
  return header.hash.toLowerCase();
}
