// The one rule: a block is read from one provider and only seen; a quorum of reports makes it final.
import { assert } from '@ducat/core/assert';
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Currency } from '@ducat/core/chain/currency';
import type { Transfer } from '@ducat/core/chain/transfer';
import { Outage } from '../../runtime/outage.ts';
import type { World } from '../../runtime/world.ts';
import type { ProviderReader } from '../port/provider-reader.ts';
import type { BlockReference, ChainBlock, ChainReader, CurrencyMismatch } from '../port/reader.ts';
import { ask } from './ask.ts';
import { agreeOnFinalBlock } from './final-block.ts';
import { agreeOnContents } from './final-contents.ts';
import { Head } from './head.ts';
import { limits } from './limits.ts';
import { type Answer, Provider, type QuorumObserver } from './provider.ts';
import { inOrder, outageOf, type Quorum } from './providers.ts';
import { ServedBlocks } from './served-blocks.ts';

export interface QuorumOptions {
  readonly definition: ChainDefinition;
  /** At least one, in the order of preference. */
  readonly readers: readonly ProviderReader[];
  /** At most as many as there are readers; by default 2 where there are two or more, else 1. */
  readonly quorum?: number | null;
  readonly world: World;
  readonly observer?: QuorumObserver;
}

/** What a chain needs to become final where the operator says nothing else. */
export function defaultQuorum(providers: number): number {
  return Math.min(2, providers);
}

export function createQuorumReader(options: QuorumOptions): ChainReader {
  const { definition, readers, world, observer = null } = options;
  const needed = options.quorum ?? defaultQuorum(readers.length);
  assert(needed >= 1 && needed <= readers.length, 'a quorum is one provider at least and all at most');
  const all = readers.map((reader) => new Provider(reader, world, observer));
  const quorum: Quorum = { chain: definition.name, world, all, needed };
  const served = new ServedBlocks(definition.windowBlocks);
  const head = new Head(quorum, definition.blockTimeMs);
  return {
    definition,
    quorum: needed,
    hasPastBalances: readers.every(({ hasPastBalances }) => hasPastBalances),
    head: () => head.agree(),
    header: async (number) =>
      (await askForBlock(quorum, { number, read: (reader) => reader.header(number) }))?.value ?? null,
    headerByHash: async (hash) =>
      (await askForBlock(quorum, { number: null, read: (reader) => reader.headerByHash(hash) }))?.value ??
      null,
    async block(number, query) {
      const { readHedgeMs: hedgeMs } = limits;
      const read = (reader: ProviderReader): Promise<ChainBlock | null> => reader.block(number, query);
      const answer = await askForBlock(quorum, { number, read, hedgeMs });
      if (answer !== null) served.keep(answer.provider, answer.value, query);
      return answer?.value ?? null;
    },
    finalBlock: (atMost) => agreeOnFinalBlock({ quorum, definition, served }, atMost),
    finalContents: (number, query, selectOurs) =>
      agreeOnContents({ quorum, served }, { number, query, selectOurs }),
    async balances(addresses, currency, at, count) {
      const what = `balances at block ${at.number}`;
      return askForReports(quorum, {
        what,
        count,
        read: (reader) => reader.balances(addresses, currency, at),
      });
    },
    internalTransfers: (block, addresses) => trace(quorum, block, addresses),
    reject: (block, reason) =>
      served.providerOf(block)?.doubt(`served block ${block.number} ${block.hash}: ${reason}`),
    checkCurrencies: (currencies) => checkCurrencies(quorum, currencies),
    gaps: () => gapsOf(readers),
    providers: () => all.map((provider) => provider.health()),
  };
}

interface BlockRequest<T> {
  /** Null where it is asked for by hash, and nobody needs to have it. */
  readonly number: number | null;
  readonly read: (reader: ProviderReader) => Promise<T | null>;
  readonly hedgeMs?: number;
}

/** The first answer, in order; null where nobody has come as far. Throws Outage where nobody can say either. */
async function askForBlock<T>(quorum: Quorum, request: BlockRequest<T>): Promise<Answer<T> | null> {
  const { number, read, hedgeMs = limits.voteHedgeMs } = request;
  const { answers, failures } = await ask<T>(quorum, {
    order: inOrder(quorum, number ?? 0),
    run: async (provider) => {
      const outcome = await provider.call(read);
      if ('outage' in outcome) return outcome;
      if (outcome.value !== null) return { provider, value: outcome.value };
      // Else one that serves block N and holds back N + 1 could have N undone and read again for ever.
      if (number !== null && number <= (provider.head ?? -1))
        provider.doubt(`has no block ${number} below its head ${provider.head}`);
      return { provider, outage: new Outage('does not have it yet', { kind: 'not-yet' }) };
    },
    missing: (round) => 1 - round.answers.length,
    hedgeMs,
  });
  const [answer] = answers;
  if (answer !== undefined) return answer;
  if (failures.length > 0 && failures.every(({ outage }) => outage.kind === 'not-yet')) return null;
  throw outageOf(quorum, number === null ? 'a header' : `block ${number}`, failures);
}

interface ReportRequest<T> {
  readonly what: string;
  readonly count: number;
  readonly read: (reader: ProviderReader) => Promise<T>;
}

/** What `count` different providers report. Many addresses or a trace take as long as they take, so nothing is hedged. */
async function askForReports<T>(
  quorum: Quorum,
  { what, count, read }: ReportRequest<T>,
): Promise<readonly T[]> {
  const { answers, failures } = await ask(quorum, {
    order: inOrder(quorum),
    run: (provider) => provider.call(read),
    missing: (round) => count - round.answers.length,
    hedgeMs: null,
  });
  if (answers.length < count) throw outageOf(quorum, what, failures);
  return answers.map(({ value }) => value);
}

/** One trace is enough, since the balance confirms it. Null where every provider says that it cannot. */
async function trace(
  quorum: Quorum,
  block: BlockReference,
  addresses: readonly string[],
): Promise<readonly Transfer[] | null> {
  const read = (reader: ProviderReader): Promise<readonly Transfer[]> =>
    reader.internalTransfers(block, addresses);
  try {
    const [transfers = null] = await askForReports(quorum, {
      what: `the internal transactions of block ${block.number}`,
      count: 1,
      read,
    });
    return transfers;
  } catch (error) {
    if (error instanceof Outage && error.kind === 'unsupported') return null;
    throw error;
  }
}

/** One report each: a wrong one can switch a token off, and switches none on that the operator did not list. */
async function checkCurrencies(
  quorum: Quorum,
  currencies: readonly Currency[],
): Promise<readonly CurrencyMismatch[]> {
  const mismatches: CurrencyMismatch[] = [];
  for (const currency of currencies) {
    const { currencyId, symbol } = currency;
    const read = (reader: ProviderReader): Promise<string | null> => reader.checkCurrency(currency);
    const [reason] = await askForReports(quorum, { what: `currency ${symbol}`, count: 1, read });
    if (typeof reason === 'string') mismatches.push({ currencyId, reason });
  }
  return mismatches;
}

/** A gap of all providers once, and one of some with their names. */
function gapsOf(readers: readonly ProviderReader[]): readonly string[] {
  const names = new Map<string, readonly string[]>();
  for (const reader of readers) {
    for (const gap of reader.gaps()) names.set(gap, [...(names.get(gap) ?? []), reader.provider]);
  }
  return [...names].map(([gap, having]) =>
    having.length === readers.length ? gap : `${having.join(', ')}: ${gap}`,
  );
}
