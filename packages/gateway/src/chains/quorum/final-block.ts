// The highest final block that a quorum agrees on, by height and hash.
import { type ChainDefinition, finalByCount } from '@ducat/core/chain/chain';
import { Outage } from '../../runtime/outage.ts';
import type { BlockReference } from '../port/reader.ts';
import { askAll, closedAnswered } from './ask.ts';
import { limits } from './limits.ts';
import type { Answer, Failure, Outcome, Provider } from './provider.ts';
import { groups, outageOf, type Quorum, usable } from './providers.ts';

/** The hashes that a provider reports of the heights in question. */
type Vote = readonly BlockReference[];

// ~ tour 10/15: a quorum has to report the same hash before a block is final, and all below it.
// → packages/gateway/src/flows/blocks/settle-final.ts
/**
 * See ChainReader.finalBlock. All providers are asked how far they call blocks final, and then for the hashes at the heights
 * in question. Fewer providers than a quorum can raise no height and fake no hash, and they cannot prevent an agreement:
 * - At the quorum-th highest height a wrong report may stand beside one right report, while the other honest provider is a
 *   block behind. So lower heights are voted on as well, down to where enough honest providers have arrived: with 2q-1
 *   providers, of which fewer than q are wrong, the (2q-1)-th highest.
 * - A quick wrong report and a quick right one are enough answers without a slow right one. So the height that a slow
 *   provider reported a moment ago counts, and its vote is awaited as long as a block. A provider that held its vote back
 *   for so long is awaited only as long as for a small answer, until one of its votes comes in time.
 * - A height that no other provider can show is a wrong report. It costs no other provider its votes at other heights.
 */
export async function agreeOnFinalBlock(
  quorum: Quorum,
  definition: ChainDefinition,
  atMost: number,
): Promise<BlockReference | null> {
  const { needed, world } = quorum;
  if (atMost < 0) return null;
  const voters = usable(quorum);
  const { failures: unreported } = await askAll(quorum, {
    order: voters,
    request: (provider) => askFinalHeight(provider, definition),
    isEnough: closedAnswered(needed),
    isUsable: ({ length }) => length >= needed,
    hedgeMs: () => limits.voteHedgeMs,
  });
  const heights = reportedHeights(voters, atMost);
  const sorted = [...heights.values()].sort((a, b) => b - a);
  const inQuestion = [...new Set(sorted.slice(needed - 1, 2 * needed - 1))].filter((number) => number >= 0);
  if (heights.size >= needed && inQuestion.length === 0) return null;
  // A provider without a height to vote on is not asked: an answer without a request would count as a sign of life.
  const order = [...heights].flatMap(([provider, upTo]) =>
    inQuestion.some((number) => number <= upTo) ? provider : [],
  );
  const startMs = world.nowMs();
  const isLate = (): boolean => world.nowMs() - startMs >= limits.readHedgeMs;
  let agreed: BlockReference | null = null;
  const { answers, failures, silent } = await askAll<Vote>(quorum, {
    order,
    request: async (provider) => {
      const vote = await askHashes(provider, inQuestion, heights.get(provider) ?? -1);
      provider.holdsBack = isLate();
      // A vote that comes after the agreement is compared here, because nothing else compares it.
      if (agreed !== null && 'value' in vote) compareVote(vote, agreed);
      return vote;
    },
    isEnough: (votes) => {
      const leading = leadingVotes(inQuestion, needed, votes);
      return leading[0]?.value.number === inQuestion[0] && order.length - leading.length < needed;
    },
    isUsable: (votes) => leadingVotes(inQuestion, needed, votes).length > 0,
    hedgeMs: (waitedFor) =>
      waitedFor.every(({ holdsBack }) => holdsBack) ? limits.voteHedgeMs : limits.readHedgeMs,
  });
  if (isLate()) for (const provider of silent) provider.holdsBack = true;
  agreed = leadingVotes(inQuestion, needed, answers)[0]?.value ?? null;
  if (agreed === null) throw withoutQuorum(quorum, answers, [...unreported, ...failures]);
  for (const vote of answers) compareVote(vote, agreed);
  return agreed;
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

/** The height up to which each provider called blocks final; below 0 for none. Such a report does not go out of date. */
function reportedHeights(voters: readonly Provider[], atMost: number): ReadonlyMap<Provider, number> {
  const reported = voters.filter(({ final }) => final.last !== null);
  return new Map(reported.map((provider) => [provider, Math.min(provider.final.last ?? -1, atMost)]));
}

/**
 * Makes one call for each height: where a provider cannot show one height, its other votes count. A failure where it shows
 * none.
 */
async function askHashes(
  provider: Provider,
  inQuestion: readonly number[],
  upTo: number,
): Promise<Outcome<Vote>> {
  const askHash = (number: number): Promise<Outcome<BlockReference>> =>
    provider.call(async (reader) => {
      const header = await reader.header(number);
      if (header !== null) return { number, hash: header.hash };
      // A lower height was reported by another provider, and a pruned node may lack its block.
      const kind = number === upTo ? 'invalid' : 'not-yet';
      throw new Outage(`has no block ${number}, which it calls final`, { kind });
    });
  const asked = await Promise.all(inQuestion.filter((number) => number <= upTo).map(askHash));
  const value = asked.flatMap((one) => ('value' in one ? one.value : []));
  const failure = asked.find((one) => 'outage' in one);
  return value.length === 0 && failure !== undefined ? failure : { provider, value };
}

/** The votes for the highest block that has a quorum. */
function leadingVotes(
  inQuestion: readonly number[],
  needed: number,
  votes: readonly Answer<Vote>[],
): readonly Answer<BlockReference>[] {
  for (const number of inQuestion) {
    const reports = votes.flatMap(({ provider, value }) =>
      value.filter((one) => one.number === number).map((one) => ({ provider, value: one })),
    );
    const [leading = [], next = []] = groups(reports, ({ hash }) => hash);
    // Two quorums are two branches that are both called final: the votes cannot show which one is the chain.
    if (leading.length >= needed && next.length < needed) return leading;
  }
  return [];
}

/** A provider is outvoted where it reports another hash for the block. */
function compareVote({ provider: { breaker }, value }: Answer<Vote>, { number, hash }: BlockReference): void {
  const own = value.find((one) => one.number === number);
  if (own?.hash === hash) breaker.agreed();
  else if (own !== undefined)
    breaker.outvoted(`: reports ${own.hash} for final block ${number}, which is ${hash}`);
}

/** An error that names each report, or the failures where too few providers voted. */
function withoutQuorum(quorum: Quorum, votes: readonly Answer<Vote>[], failures: readonly Failure[]): Outage {
  const { needed, chain } = quorum;
  if (votes.length < needed) return outageOf(quorum, `finality needs ${needed} providers`, failures);
  const reports = votes.flatMap(({ provider, value }) =>
    value.map(({ number, hash }) => `${provider.name} reports ${hash} for block ${number}`),
  );
  const message = `${chain}: providers disagree on the final block: ${reports.join(', ')}`;
  return new Outage(message, { kind: 'disagreement' });
}
