// One provider of the fake chain, with every fault on demand.
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import { Outage, type OutageKind } from '@ducat/gateway/runtime/outage';
import type { World } from '@ducat/gateway/runtime/world';
import type { ProviderReader } from '@ducat/gateway/chains/port/provider-reader';
import type { BalanceReport, ChainBlock } from '@ducat/gateway/chains/port/reader';
import { type FakeProviderOptions, HonestProvider, type ShownChain } from './honest-provider.ts';

/** The methods of a provider that send a request. */
export type ProviderMethod = {
  [Name in keyof ProviderReader]: ProviderReader[Name] extends (...args: never[]) => Promise<unknown>
    ? Name
    : never;
}[keyof ProviderReader];

/** Changes what the provider reports, for tests of code that must not trust it. Each function takes the true answer. */
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
}

/** A provider whose answers a test decides. Without faults it is honest and answers at once. */
export interface FakeProvider extends ProviderReader {
  /** The next so many calls end in an Outage. */
  failNext(times: number, failure?: FakeFailure): void;
  /** Shows the chain as it was `blocks` blocks ago. */
  setLag(blocks: number): void;
  /** Sets the delay of each answer, or of the answers of one method. Without it, answers come at once. */
  setLatency(ms: number, method?: ProviderMethod): void;
  /** While stalled, no answer comes until the reader's own timeout ends the call. */
  stall(stalled: boolean): void;
  /** Replaces all lies; without an argument there are none. */
  lie(lies?: FakeLies): void;
  /** Shows another chain from now on, such as a branch. */
  follow(chain: ShownChain): void;
  /** The number of calls, of one method or of all. */
  calls(method?: ProviderMethod): number;
}

/** The timeout after which a reader gives up a request. */
const fakeTimeoutMs = 20_000;

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
  const honest = new HonestProvider(provider, state, options);
  const answer = <T>(method: ProviderMethod, work: () => T): Promise<T> =>
    answerOrFail(provider, state, world, method, work);
  return {
    provider,
    hasPastBalances: honest.hasPastBalances,
    gaps: () => options.gaps ?? [],
    head: () => answer('head', () => lied(state.lies.head, honest.head())),
    finalHeight: () => answer('finalHeight', () => lied(state.lies.finalHeight, honest.finalHeight())),
    header: (number) => answer('header', () => lied(state.lies.header, honest.header(number), number)),
    headerByHash: (hash) =>
      answer('headerByHash', () => lied(state.lies.headerByHash, honest.headerByHash(hash), hash)),
    block: (number, query) =>
      answer('block', () => lied(state.lies.block, honest.block(number, query), number)),
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
    const { kind = 'unavailable' } = failures;
    throw new Outage(`${method} fails on demand`, { kind });
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
