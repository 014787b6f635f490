// The highest final block that a quorum agrees on, by height and hash.
import { type ChainDefinition, finalByCount } from '@ducat/core/chain/chain';
import { Outage } from '../../runtime/outage.ts';
import type { ProviderReader } from '../port/provider-reader.ts';
import type { BlockReference } from '../port/reader.ts';
import { gather } from './gather.ts';
import { kthHighest } from './head.ts';
import { limits } from './limits.ts';
import type { Answer, Failure, Outcome, Provider } from './provider.ts';
import { outageOf, type Quorum, usable } from './providers.ts';
import type { ServedBlocks } from './served-blocks.ts';
import { groups } from './groups.ts';

export interface Finality {
  readonly quorum: Quorum;
  readonly definition: ChainDefinition;
  readonly served: ServedBlocks;
}

/**
 * See ChainReader.finalBlock. Fewer than a quorum can raise no height, and fake no hash.
 *
 * At the quorum-th highest height a wrong report may stand beside a single right one, while the other honest provider
 * is one block behind. Therefore the lower heights are tried too, down to the one where enough honest ones have arrived:
 * with 2q-1 providers, of which fewer than q are wrong, the (2q-1)-th highest.
 */
export async function agreeOnFinalBlock(finality: Finality, atMost: number): Promise<BlockReference | null> {
  if (atMost < 0) return null;
  const { quorum } = finality;
  const { needed, chain } = quorum;
  const heights = await gather(quorum, {
    voters: usable(quorum),
    run: (provider) => provider.call((reader) => finalHeight(finality, provider, reader, atMost)),
    isEnough: ({ answers }) => answers.length >= needed,
  });
  const what = `finality needs ${needed} providers`;
  if (heights.answers.length < needed) throw outageOf(quorum, what, heights.failures);
  const failures: Failure[] = [...heights.failures];
  const reports: string[] = [];
  for (const height of candidates(heights.answers, needed)) {
    if (height < 0) break;
    const voters = heights.answers.filter(({ value }) => value >= height).map(({ provider }) => provider);
    const vote = await voteOnHash(finality, voters, height);
    if (vote.agreed !== null) return vote.agreed;
    failures.push(...vote.failures);
    reports.push(...vote.reports);
  }
  if (
    kthHighest(
      heights.answers.map(({ value }) => value),
      needed,
    ) < 0
  )
    return null;
  if (reports.length < needed) throw outageOf(quorum, what, failures);
  const message = `${chain}: providers disagree on the final block: ${reports.join(', ')}`;
  throw new Outage(message, { kind: 'disagreement' });
}

/** Up to which height a provider calls blocks final and has the confirmations above them; below 0 where nothing is. */
async function finalHeight(
  { definition }: Finality,
  provider: Provider,
  reader: ProviderReader,
  atMost: number,
): Promise<number> {
  const own = definition.nodeFinality === 'none' ? atMost : await reader.finalHeight();
  const head = provider.headWithin(limits.voteHedgeMs) ?? (await reader.head());
  return Math.min(own ?? -1, atMost, finalByCount(definition, head));
}

function candidates(answers: readonly Answer<number>[], needed: number): ReadonlySet<number> {
  const heights = answers.map(({ value }) => value).sort((a, b) => b - a);
  return new Set(heights.slice(needed - 1, 2 * needed - 1));
}

interface Vote {
  readonly agreed: BlockReference | null;
  readonly failures: readonly Failure[];
  /** Who reports what, in words. */
  readonly reports: readonly string[];
}

async function voteOnHash(finality: Finality, voters: readonly Provider[], number: number): Promise<Vote> {
  const { quorum, served } = finality;
  let agreed: BlockReference | null = null;
  const { answers, failures } = await gather(quorum, {
    voters,
    run: async (provider) => {
      const outcome = await hashAt(provider, number);
      // The round may have ended without this one: its vote still says something about it.
      if (agreed !== null && !('outage' in outcome)) compare(outcome, agreed);
      return outcome;
    },
    isEnough: ({ answers: some }) => (groups(some, ({ value }) => value)[0]?.length ?? 0) >= quorum.needed,
  });
  const [first = [], second = []] = groups(answers, ({ value }) => value);
  const hash = first[0]?.value;
  // Two quorums are two branches, both called final: nobody can know which one is the chain.
  if (hash === undefined || first.length < quorum.needed || second.length >= quorum.needed) {
    return {
      agreed,
      failures,
      reports: answers.map(({ provider, value }) => `${provider.name} reports ${value} for block ${number}`),
    };
  }
  agreed = { number, hash };
  for (const answer of answers) compare(answer, agreed);
  served.takeContradiction(agreed)?.doubt(`served another block ${number} than the final one, ${hash}`);
  return { agreed, failures, reports: [] };
}

function compare({ provider, value }: Answer<string>, { number, hash }: BlockReference): void {
  if (value === hash) provider.agreed();
  else provider.doubt(`outvoted: reports ${value} for final block ${number}, which is ${hash}`);
}

async function hashAt(provider: Provider, number: number): Promise<Outcome<string>> {
  const outcome = await provider.call((reader) => reader.header(number));
  if ('outage' in outcome) return outcome;
  if (outcome.value !== null) return { provider, value: outcome.value.hash };
  const reason = `has no block ${number}, which it calls final`;
  provider.doubt(reason);
  return { provider, outage: new Outage(reason, { kind: 'invalid' }) };
}
