// Endpoints on a branch of their own: what two others call final shows it, and they are not read from any more.
import type { BlockReference } from '../port.ts';
import { Outage } from '../../runtime/outage.ts';
import type { FinalityQuestions } from './agree-final.ts';
import type { EndpointPool } from './endpoint-pool.ts';
import { LyingNode } from './lying-node.ts';
import type { WatchedEndpoint } from './watched-endpoint.ts';

type HashAt<E> = (endpoint: E, number: number) => Promise<string>;

/**
 * Puts aside whoever voted for another block than the final one, and whoever had told another block there when it was
 * read. Which branch is right is known where two say so; with one endpoint a final block is only its newest word.
 */
export async function putAside<E extends WatchedEndpoint>(
  endpoints: EndpointPool<E>,
  { hashAt, shownAt = hashAt }: Pick<FinalityQuestions<E>, 'hashAt' | 'shownAt'>,
  final: BlockReference,
  votes: ReadonlyMap<E, string> = new Map(),
): Promise<void> {
  if (endpoints.count < 2) return;
  for (const endpoint of endpoints.map((one) => one)) {
    const vote = votes.get(endpoint) ?? final.hash;
    if (vote !== final.hash) {
      endpoint.putAside(lieOf(vote, final), () => expectFinal(endpoint, hashAt, final));
    } else if (endpoint.available && endpoint.toldBlocks.takeContradiction(final)) {
      const shown = await shownBy(endpoint, shownAt, final);
      if (shown === final.hash) endpoint.noteShift(lieOf(null, final));
      else endpoint.putAside(lieOf(shown, final), () => expectFinal(endpoint, shownAt, final));
    }
  }
}

/** Null where it does not tell. */
async function shownBy<E extends WatchedEndpoint>(
  endpoint: E,
  shownAt: HashAt<E>,
  { number }: BlockReference,
): Promise<string | null> {
  try {
    return await endpoint.run((one) => shownAt(one, number));
  } catch (error) {
    if (error instanceof Outage) return null;
    throw error;
  }
}

async function expectFinal<E extends WatchedEndpoint>(
  endpoint: E,
  hashAt: HashAt<E>,
  final: BlockReference,
): Promise<void> {
  const hash = await hashAt(endpoint, final.number);
  if (hash !== final.hash) throw lieOf(hash, final);
}

function lieOf(hash: string | null, { number, hash: right }: BlockReference): LyingNode {
  const told = hash === null ? `another block ${number}` : `${hash} as block ${number}`;
  return new LyingNode(`told ${told}, and others agree that ${right} is final there`);
}
