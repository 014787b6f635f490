// One provider of the fake chain, with every trouble on demand.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { type Currency, isNativeCurrency } from '@ducat/core/chain/currency';
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import { amountOf } from '@ducat/core/money/amount';
import { Outage, type OutageKind } from '../../runtime/outage.ts';
import type { World } from '../../runtime/world.ts';
import type { ProviderReader } from '../port/provider-reader.ts';
import type { BalanceReport, BlockQuery, BlockReference, ChainBlock } from '../port/reader.ts';
import type { BlocksInMemory, FakeBlock } from './blocks-in-memory.ts';

/** The methods of a provider that ask something. */
export type ProviderMethod = {
  [Name in keyof ProviderReader]: ProviderReader[Name] extends (...args: never[]) => Promise<unknown>
    ? Name
    : never;
}[keyof ProviderReader];

/** Changes what the provider reports, for tests of what must not believe it. Each gets the true answer. */
export interface FakeLies {
  readonly head?: (head: number) => number;
  readonly finalHeight?: (height: number | null) => number | null;
  readonly header?: (header: BlockHeader | null, number: number) => BlockHeader | null;
  readonly headerByHash?: (header: BlockHeader | null, hash: string) => BlockHeader | null;
  readonly block?: (block: ChainBlock | null, number: number) => ChainBlock | null;
  readonly finalBlock?: (block: ChainBlock | null, number: number) => ChainBlock | null;
  readonly balances?: (report: BalanceReport) => BalanceReport;
  readonly internalTransfers?: (transfers: readonly Transfer[]) => readonly Transfer[];
  readonly checkCurrency?: (reason: string | null) => string | null;
}

export interface FakeFailure {
  /** All methods unless one is named. */
  readonly method?: ProviderMethod;
  /** `unavailable` unless said otherwise. */
  readonly kind?: OutageKind;
  /** For `throttled`: the pause that the provider asks for. */
  readonly retryAfterMs?: number;
}

export interface FakeProviderOptions {
  /** Whether blocks prove their contents, as EVM's do and Tron's do not; by the family unless said otherwise. */
  readonly isProven?: boolean;
  /** Whether balances of past blocks can be asked for; by the family unless said otherwise. */
  readonly hasPastBalances?: boolean;
  /** How many blocks below the head balances are kept, where there are past ones; all unless said otherwise. */
  readonly stateBlocks?: number;
  /** Whether it traces; by the definition unless said otherwise. */
  readonly canTrace?: boolean;
  /** Whether blocks carry internal transactions as proposals; where blocks do not prove themselves, unless said otherwise. */
  readonly hasProposals?: boolean;
  readonly gaps?: readonly string[];
}

/** A provider whose answers a test decides. Without faults it is honest and answers at once. */
export interface FakeProvider extends ProviderReader {
  /** The next so many calls end in an Outage. */
  failNext(times: number, failure?: FakeFailure): void;
  /** It shows the chain as it was so many blocks ago. */
  setLag(blocks: number): void;
  /** How long it takes for each answer; at once unless said otherwise. */
  setLatency(ms: number, method?: ProviderMethod): void;
  /** While it is stalled, no answer comes until the reader's own timeout ends the call. */
  stall(stalled: boolean): void;
  /** Replaces the lies so far; none without argument. */
  lie(lies?: FakeLies): void;
  /** From now on it shows another chain, such as a branch. */
  follow(chain: ShownChain): void;
  /** How often it was asked, by method or in all. */
  calls(method?: ProviderMethod): number;
}

/** What a provider shows of a chain. */
export interface ShownChain {
  readonly definition: ChainDefinition;
  readonly blocks: BlocksInMemory;
  readonly finalHeight: number;
}

/** After which a reader gives an answer up. */
export const fakeTimeoutMs = 20_000;

interface State {
  shown: ShownChain;
  lag: number;
  lies: FakeLies;
  isStalled: boolean;
  latencyMs: number;
  failures: { times: number } & FakeFailure;
  readonly methodLatencyMs: Map<ProviderMethod, number>;
  readonly calls: Map<ProviderMethod, number>;
}

export function createFakeProvider(
  provider: string,
  chain: ShownChain,
  world: World,
  options: FakeProviderOptions = {},
): FakeProvider {
  const state: State = {
    shown: chain,
    lag: 0,
    lies: {},
    isStalled: false,
    latencyMs: 0,
    failures: { times: 0 },
    methodLatencyMs: new Map(),
    calls: new Map(),
  };
  const honest = honestAnswers(provider, state, options);
  const answer = <T>(method: ProviderMethod, work: () => T): Promise<T> =>
    answerOrFail(provider, state, world, method, work);
  return {
    provider,
    hasPastBalances: honest.hasPastBalances,
    gaps: () => options.gaps ?? [],
    head: () => answer('head', () => lied(state.lies.head, honest.head())),
    finalHeight: () => answer('finalHeight', () => lied(state.lies.finalHeight, honest.finalHeight())),
    header: (number) =>
      answer('header', () => lied(state.lies.header, honest.block(number)?.header ?? null, number)),
    headerByHash: (hash) =>
      answer('headerByHash', () => lied(state.lies.headerByHash, honest.headerByHash(hash), hash)),
    block: (number, query) =>
      answer('block', () => lied(state.lies.block, honest.chainBlock(number, query), number)),
    finalBlock: (number, query) =>
      answer('finalBlock', () => lied(state.lies.finalBlock, honest.finalBlock(number, query), number)),
    balances: (addresses, currency, at) =>
      answer('balances', () => lied(state.lies.balances, honest.balances(addresses, currency, at))),
    internalTransfers: (block, addresses) =>
      answer('internalTransfers', () =>
        lied(state.lies.internalTransfers, honest.internalTransfers(block, addresses)),
      ),
    checkCurrency: () => answer('checkCurrency', () => lied(state.lies.checkCurrency, null)),
    ...controls(state),
  };
}

type Controls = Omit<FakeProvider, keyof ProviderReader>;

function controls(state: State): Controls {
  return {
    failNext(times, failure = {}) {
      state.failures = { times, ...failure };
    },
    setLag(blocks) {
      state.lag = blocks;
    },
    setLatency(ms, method) {
      if (method === undefined) state.latencyMs = ms;
      else state.methodLatencyMs.set(method, ms);
    },
    stall(stalled) {
      state.isStalled = stalled;
    },
    lie(lies = {}) {
      state.lies = lies;
    },
    follow(chain) {
      state.shown = chain;
    },
    calls(method) {
      if (method !== undefined) return state.calls.get(method) ?? 0;
      return [...state.calls.values()].reduce((sum, count) => sum + count, 0);
    },
  };
}

async function answerOrFail<T>(
  provider: string,
  state: State,
  world: World,
  method: ProviderMethod,
  work: () => T,
): Promise<T> {
  state.calls.set(method, (state.calls.get(method) ?? 0) + 1);
  if (state.isStalled) {
    await world.sleep(fakeTimeoutMs);
    throw new Outage(`${provider} gave no answer within ${fakeTimeoutMs} ms`);
  }
  const latencyMs = state.methodLatencyMs.get(method) ?? state.latencyMs;
  if (latencyMs > 0) await world.sleep(latencyMs);
  const { failures } = state;
  if (failures.times > 0 && (failures.method ?? method) === method) {
    failures.times--;
    const { kind = 'unavailable', retryAfterMs = null } = failures;
    throw Object.assign(new Outage(`${method} fails on demand`, { kind }), { retryAfterMs });
  }
  return work();
}

function lied<T, A extends readonly unknown[]>(
  lie: ((truth: T, ...args: A) => T) | undefined,
  truth: T,
  ...args: A
): T {
  return lie === undefined ? truth : lie(truth, ...args);
}

/** What an honest provider answers. Throws Outage as the port says. */
interface HonestAnswers {
  readonly hasPastBalances: boolean;
  head(): number;
  finalHeight(): number | null;
  block(number: number): FakeBlock | null;
  chainBlock(number: number, query: BlockQuery): ChainBlock | null;
  finalBlock(number: number, query: BlockQuery): ChainBlock | null;
  headerByHash(hash: string): BlockHeader | null;
  balances(addresses: readonly string[], currency: Currency, at: BlockReference): BalanceReport;
  internalTransfers(block: BlockReference, addresses: readonly string[]): readonly Transfer[];
}

function honestAnswers(provider: string, state: State, options: FakeProviderOptions): HonestAnswers {
  const { definition } = state.shown;
  const isEvm = definition.family === 'evm';
  const { isProven = isEvm, hasPastBalances = isEvm, stateBlocks = Infinity } = options;
  const { canTrace = definition.traceMethod !== 'none', hasProposals = !isProven } = options;
  const head = (): number => Math.max(0, state.shown.blocks.head - state.lag);
  const final = (): number => Math.min(head(), state.shown.finalHeight);
  const block = (number: number): FakeBlock | null =>
    number > head() ? null : state.shown.blocks.at(number);
  const chainBlock = (number: number, query: BlockQuery): ChainBlock | null => {
    const found = block(number);
    if (found === null) return null;
    const ids = new Set(query.currencies.map(({ currencyId }) => currencyId));
    const isAsked = ({ amount }: Transfer): boolean => ids.has(amount.currencyId);
    return {
      header: found.header,
      transfers: found.transfers.filter(isAsked),
      proposals: hasProposals ? found.internal.filter(isAsked) : [],
      inclusions: found.inclusions.filter(({ txId }) => query.txIds.has(txId)),
      isProven,
      isFinalView: !isProven && number <= final(),
      undecoded: [],
    };
  };
  return {
    hasPastBalances,
    head,
    finalHeight: () => (definition.nodeFinality === 'none' ? null : final()),
    block,
    chainBlock,
    finalBlock: (number, query) => {
      const found =
        definition.nodeFinality === 'none' || number <= final() ? chainBlock(number, query) : null;
      return found === null ? null : { ...found, isFinalView: true };
    },
    headerByHash: (hash) => {
      const found = state.shown.blocks.withHash(hash)?.header ?? null;
      return found !== null && found.number <= head() ? found : null;
    },
    balances(addresses, { currencyId }, at) {
      const number = hasPastBalances ? at.number : final();
      const shown = block(hasPastBalances ? at.number : Math.max(at.number, number));
      if (shown === null || number < at.number || (hasPastBalances && shown.header.hash !== at.hash))
        throw new Outage(`does not have block ${at.number} ${at.hash}`, { kind: 'not-yet' });
      if (number < head() - stateBlocks)
        throw new Outage(`the state of block ${number} is pruned`, { kind: 'unsupported' });
      const { blocks } = state.shown;
      const amounts = addresses.map((one) => amountOf(currencyId, blocks.balance(one, currencyId, number)));
      return { provider, at: number, amounts };
    },
    internalTransfers({ number, hash }, addresses) {
      if (!canTrace) throw new Outage('cannot trace', { kind: 'unsupported' });
      const found = block(number);
      if (found?.header.hash !== hash)
        throw new Outage(`does not have block ${number} ${hash}`, { kind: 'not-yet' });
      const native = definition.currencies.filter(isNativeCurrency).map(({ currencyId }) => currencyId);
      return found.internal.filter(
        ({ to, amount }) => addresses.includes(to) && native.includes(amount.currencyId),
      );
    },
  };
}
