// The highest final block that a quorum agrees on, by height and hash.
import { type ChainDefinition, finalByCount } from '@ducat/core/chain/chain';
import { Outage } from '../../runtime/outage.ts';
import type { BlockReference } from '../port/reader.ts';
import { Ballots } from './ballots.ts';
import { kthHighest } from './height.ts';
import { limits } from './limits.ts';
import { Hedge, Poll } from './poll.ts';
import type { Failure, Outcome, Provider } from './provider.ts';
import { outageOf, type Quorum, usable } from './providers.ts';

// ~ tour 10/15: a quorum has to report the same hash before a block is final, and all below it.
// → packages/gateway/src/flows/blocks/settle-final.ts
/**
 * See ChainReader.finalBlock. Fewer than a quorum can raise no height and fake no hash, and they cannot prevent an
 * agreement: each way in which they could keep the others apart has its answer.
 * - At the quorum-th highest height a wrong report may stand beside one right one, while the other honest provider is a
 *   block behind. So lower heights are voted on as well, down to where enough honest ones have arrived: with 2q-1
 *   providers, of which fewer than q are wrong, the (2q-1)-th highest.
 * - A quick wrong report and a quick right one are enough answers without the slow right one. So what that one reported a
 *   moment ago counts, and its vote is waited for.
 * - A provider may report a height and hold back the hash. So where a quorum agrees on a lower one, it does not wait long.
 */
export async function agreeOnFinalBlock(
  quorum: Quorum,
  definition: ChainDefinition,
  atMost: number,
): Promise<BlockReference | null> {
  const { world, needed } = quorum;
  if (atMost < 0) return null;
  const voters = usable(quorum);
  const heights = new Poll((provider) => askFinalHeight(provider, definition));
  heights.ask(voters);
  await heights.answered(world, needed);
  const ballots = new Ballots(needed);
  const toLower = new Hedge(world, limits.voteHedgeMs);
  const toEnd = new Hedge(world, limits.readHedgeMs);
  try {
    for (;;) {
      const reports = reportedHeights(quorum, voters, atMost);
      ballots.open(reports, toLower.isOver);
      const { block, isSure } = ballots.result();
      if (block !== null && (isSure || toEnd.isOver)) {
        ballots.close(block);
        return block;
      }
      const pending = [...heights.pending, ...ballots.pending];
      if (block === null && pending.length === 0)
        return withoutQuorum(quorum, [...reports.values()], ballots, heights.failures);
      if (block !== null) void toEnd.start();
      await toEnd.next(toLower.isOver ? pending : [...pending, toLower.start()]);
    }
  } finally {
    toLower.end();
    toEnd.end();
  }
}

async function askFinalHeight(provider: Provider, definition: ChainDefinition): Promise<Outcome<number>> {
  const outcome = await provider.call(async (reader) => {
    const own = definition.nodeFinality === 'none' ? Infinity : await reader.finalHeight();
    const head = provider.head.within(limits.voteHedgeMs) ?? (await reader.head());
    return Math.min(own ?? -1, finalByCount(definition, head));
  });
  if (!('outage' in outcome)) provider.final.note(outcome.value);
  return outcome;
}

/** Up to which height each provider called blocks final lately, and had the confirmations above them; below 0 for none. */
function reportedHeights(
  { lagMs }: Quorum,
  voters: readonly Provider[],
  atMost: number,
): ReadonlyMap<Provider, number> {
  const reported = voters.filter(({ final }) => final.within(lagMs) !== null);
  return new Map(reported.map((provider) => [provider, Math.min(provider.final.last ?? -1, atMost)]));
}

/** Null where a quorum says that nothing is final. Else throws Outage with who reports what, and who gives no answer. */
function withoutQuorum(
  quorum: Quorum,
  heights: readonly number[],
  { reports, failures }: Ballots,
  silent: readonly Failure[],
): null {
  const { needed, chain } = quorum;
  if (heights.length >= needed && kthHighest(heights, needed) < 0) return null;
  if (reports.length < needed)
    throw outageOf(quorum, `finality needs ${needed} providers`, [...silent, ...failures]);
  const message = `${chain}: providers disagree on the final block: ${reports.join(', ')}`;
  throw new Outage(message, { kind: 'disagreement' });
}
