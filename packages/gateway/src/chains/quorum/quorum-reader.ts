// The one rule: a block is read from one provider and only seen; what a quorum reports alike becomes final.
import { assert } from '@ducat/core/assert';
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Currency } from '@ducat/core/chain/currency';
import { defaultQuorum } from '@ducat/core/chain/quorum';
import type { BlockHeader } from '@ducat/core/chain/transfer';
import { Outage } from '../../runtime/outage.ts';
import type { World } from '../../runtime/world.ts';
import type { ProviderReader } from '../port/provider-reader.ts';
import type { ChainReader, CurrencyMismatch } from '../port/reader.ts';
import { ask } from './ask.ts';
import { agreeOnFinalBlock } from './final-block.ts';
import { agreeOnContents } from './final-contents.ts';
import { Head } from './head.ts';
import { limits } from './limits.ts';
import { type Answer, type Failure, Provider } from './provider.ts';
import { groups, inOrder, outageOf, type Quorum } from './providers.ts';
import { ServedBlocks } from './served-blocks.ts';

export interface QuorumOptions {
  readonly definition: ChainDefinition;
  /** At least one, in the order of preference. */
  readonly readers: readonly ProviderReader[];
  /** At most as many as there are readers; null for 2 where there are two or more, else 1. */
  readonly quorum?: number | null;
  readonly world: World;
}

// ~ tour 7/15: the first healthy provider is asked for a block, and the next one where that takes long or fails.
// → packages/gateway/src/chains/evm/block/read-block.ts
/** Connects to nothing yet. */
export function createQuorumReader({
  definition,
  readers,
  quorum: wanted,
  world,
}: QuorumOptions): ChainReader {
  const needed = wanted ?? defaultQuorum(readers.length);
  assert(needed >= 1 && needed <= readers.length, 'a quorum is one provider at least and all at most');
  const all = readers.map((reader) => new Provider(reader, world));
  const blockTimeMs = Math.max(1, definition.blockTimeMs);
  // Reports of one moment may differ by one block, however long a block takes.
  const lagBlocks = Math.ceil(limits.lagMs / blockTimeMs) + 1;
  const lagMs = lagBlocks * blockTimeMs;
  const quorum: Quorum = { chain: definition.name, world, all, needed, lagBlocks, lagMs };
  const served = new ServedBlocks(definition.windowBlocks);
  const head = new Head(quorum);
  return {
    definition,
    quorum: needed,
    hasPastBalances: readers.every(({ hasPastBalances }) => hasPastBalances),
    head: () => head.agree(),
    header: async (number) =>
      (await find(quorum, { number, read: (reader) => reader.header(number) }))?.value ?? null,
    headerByHash: (hash) => findByHash(quorum, hash),
    async block(number, query) {
      const { readHedgeMs: hedgeMs } = limits;
      const answer = await find(quorum, { number, hedgeMs, read: (reader) => reader.block(number, query) });
      if (answer !== null) served.keep(answer);
      return answer?.value ?? null;
    },
    finalBlock: (atMost) => agreeOnFinalBlock(quorum, definition, atMost),
    finalContents: (number, query, selectOurs) => agreeOnContents(quorum, { number, query, selectOurs }),
    balances: (addresses, currency, at, count) =>
      collect(quorum, `balances at block ${at.number}`, count, async (reader) => {
        const report = await reader.balances(addresses, currency, at);
        // The comparison waits until the books reach this height, so one made-up height would hold up every comparison.
        const isKnown = report.at <= Math.max(at.number, head.last);
        if (isKnown || report.at <= (await head.agree()) + lagBlocks) return report;
        const message = `reports balances of block ${report.at}, and the head is ${head.last}`;
        throw new Outage(message, { kind: 'invalid' });
      }),
    async internalTransfers(block, addresses) {
      const what = `internal transactions of block ${block.number}`;
      // One trace is enough, since the balance confirms it.
      const traced = collect(quorum, what, 1, (reader) => reader.internalTransfers(block, addresses));
      const [transfers = null] = await traced.catch(noneWhereUnsupported);
      return transfers;
    },
    reject: (block, reason) => served.reject(block, reason),
    checkCurrencies: (currencies) => checkCurrencies(quorum, currencies),
    gaps: () => gapsOf(readers),
    providers: () => all.map((provider) => provider.health()),
  };
}

interface Search<T> {
  readonly number: number;
  readonly read: (reader: ProviderReader) => Promise<T | null>;
  readonly hedgeMs?: number;
}

/** The first answer, in order; null where no provider has come as far. Throws Outage where none of them answers. */
async function find<T>(quorum: Quorum, search: Search<T>): Promise<Answer<T> | null> {
  const { number, read, hedgeMs = limits.voteHedgeMs } = search;
  const { answers, failures } = await ask<T>(quorum, {
    order: inOrder(quorum, number),
    request: async (provider) => {
      const outcome = await provider.call(read);
      if ('outage' in outcome) return outcome;
      if (outcome.value !== null) return { provider, value: outcome.value };
      const { breaker, head } = provider;
      // Otherwise a provider that serves block N and holds back N + 1 could have N undone and read again for ever.
      if (number <= (head.last ?? -1)) breaker.doubted(`has no block ${number} below its head ${head.last}`);
      return notYet(provider);
    },
    missing: ({ length }) => 1 - length,
    hedgeMs,
  });
  return answers[0] ?? noneOf(quorum, `block ${number}`, failures);
}

function notYet(provider: Provider): Failure {
  return { provider, outage: new Outage('does not have it yet', { kind: 'not-yet' }) };
}

/** Null where all providers answer that they do not have it. Else throws Outage. */
function noneOf(quorum: Quorum, what: string, failures: readonly Failure[]): null {
  if (failures.length > 0 && failures.every(({ outage }) => outage.kind === 'not-yet')) return null;
  throw outageOf(quorum, what, failures);
}

/**
 * The header that most providers report. The parent of an unproven header is one provider's claim, and one provider that is
 * wrong could turn every fork to a wrong branch. A branch that only one provider has is followed all the same.
 */
async function findByHash(quorum: Quorum, hash: string): Promise<BlockHeader | null> {
  const byParts = (answers: readonly Answer<BlockHeader>[]) =>
    groups(answers, ({ number, parentHash, time }) => `${number} ${parentHash} ${time}`);
  const { answers, failures } = await ask<BlockHeader>(quorum, {
    order: inOrder(quorum),
    request: async (provider) => {
      const outcome = await provider.call((reader) => reader.headerByHash(hash));
      if ('outage' in outcome) return outcome;
      return outcome.value === null ? notYet(provider) : { provider, value: outcome.value };
    },
    missing: (some) => quorum.needed - (byParts(some)[0]?.length ?? 0),
    hedgeMs: limits.voteHedgeMs,
  });
  const [most = [], ...others] = byParts(answers);
  if (most.length >= quorum.needed)
    for (const { provider } of others.flat())
      provider.breaker.outvoted(`: reports another parent of block ${hash}`);
  return most[0]?.value ?? noneOf(quorum, 'a header', failures);
}

/** The reports of `count` different providers. Balances and traces may take long, so nothing is hedged. */
async function collect<T>(
  quorum: Quorum,
  what: string,
  count: number,
  read: (reader: ProviderReader) => Promise<T>,
): Promise<readonly T[]> {
  const { answers, failures } = await ask(quorum, {
    order: inOrder(quorum),
    request: (provider) => provider.call(read),
    missing: ({ length }) => count - length,
    hedgeMs: null,
  });
  if (answers.length < count) throw outageOf(quorum, what, failures);
  return answers.map(({ value }) => value);
}

function noneWhereUnsupported(error: unknown): readonly [] {
  if (error instanceof Outage && error.kind === 'unsupported') return [];
  throw error;
}

/**
 * One report for each currency: a wrong one can switch a token off, but it cannot switch on a token that the operator did
 * not list.
 */
async function checkCurrencies(
  quorum: Quorum,
  currencies: readonly Currency[],
): Promise<readonly CurrencyMismatch[]> {
  const mismatches: CurrencyMismatch[] = [];
  for (const currency of currencies) {
    const { currencyId, symbol } = currency;
    const [reason] = await collect(quorum, symbol, 1, (reader) => reader.checkCurrency(currency));
    if (typeof reason === 'string') mismatches.push({ currencyId, reason });
  }
  return mismatches;
}

/** A gap of all providers is listed once, a gap of some providers with their names. */
function gapsOf(readers: readonly ProviderReader[]): readonly string[] {
  const gaps = new Set(readers.flatMap((reader) => reader.gaps()));
  return [...gaps].map((gap) => {
    const having = readers.filter((reader) => reader.gaps().includes(gap));
    if (having.length === readers.length) return gap;
    return `${having.map(({ provider }) => provider).join(', ')}: ${gap}`;
  });
}
