// A chain in memory behind the port: for the simulator and for flow tests, with every trouble on demand.
import { assert } from '@ducat/core/assert';
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { BlockHeader } from '@ducat/core/chain/transfer';
import { amountOf } from '@ducat/core/money/amount';
import { Outage } from '../../runtime/outage.ts';
import type { BlockReference, ChainBlock, ChainPort, CurrencyMismatch } from '../port.ts';
import { FakeLedger, type FakeTransaction } from './fake-ledger.ts';

/** The asynchronous methods of the port, which can fail. */
export type FakeMethod =
  | 'head'
  | 'finalBlock'
  | 'headers'
  | 'readBlock'
  | 'confirmBlock'
  | 'balances'
  | 'checkCurrencies';

/** Changes what the port answers, for tests of what must not believe it. */
export interface FakeLies {
  readonly head?: (height: number) => number;
  readonly finalBlock?: (block: BlockReference | null) => BlockReference | null;
  readonly headers?: (headers: readonly BlockHeader[]) => readonly BlockHeader[];
  readonly readBlock?: (block: ChainBlock | null) => ChainBlock | null;
}

export interface FakeChainOptions {
  readonly definition: ChainDefinition;
  /** The same seed and the same calls give the same chain. */
  readonly seed: number;
  /** Unix seconds of block 0. */
  readonly startTime: number;
  /** How far behind the head the chain's own finality is; 2 blocks unless said otherwise. */
  readonly finalityBlocks?: number;
}

export interface FakeChain {
  readonly port: ChainPort;
  /** The true height, whatever the port tells. */
  readonly height: number;
  /** Puts a block on top; `time` in Unix seconds, else one block time after the last. */
  mine(transactions?: readonly FakeTransaction[], time?: number): BlockHeader;
  /** Replaces the newest `depth` blocks by these, of which there may be fewer or more. */
  fork(depth: number, blocks: readonly (readonly FakeTransaction[])[]): readonly BlockHeader[];
  /** While it is stalled, the chain's own finality stays where it is. A fork may never go below it. */
  stallFinality(stalled: boolean): void;
  /** The next so many calls end in an Outage; of one method, or of all. */
  failNext(times: number, options?: { readonly method?: FakeMethod; readonly retryable?: boolean }): void;
  /** The port shows the chain as it was so many blocks ago. */
  setLag(blocks: number): void;
  /** Replaces the lies told so far; none without argument. */
  lie(lies?: FakeLies): void;
  /** The reasons that checkCurrencies gives from now on. */
  setMismatches(mismatches: readonly CurrencyMismatch[]): void;
}

export function createFakeChain(options: FakeChainOptions): FakeChain {
  const { definition, seed, startTime } = options;
  const blockTimeSeconds = Math.max(1, Math.round(definition.blockTimeMs / 1000));
  const ledger = new FakeLedger({ chain: definition.name, seed, startTime, blockTimeSeconds });
  const state: FakeState = {
    definition,
    ledger,
    finalityBlocks: options.finalityBlocks ?? 2,
    stalledAt: null,
    failures: { times: 0, method: null, retryable: true },
    lag: 0,
    lies: {},
    mismatches: [],
    lastError: null,
  };
  return {
    port: portOf(state),
    get height() {
      return ledger.head;
    },
    mine: (transactions = [], time) => ledger.mine(transactions, time).header,
    fork(depth, blocks) {
      const final = finalHeight(state);
      assert(
        definition.nodeFinality === 'none' || ledger.head - depth >= final,
        'a final block is never undone',
      );
      ledger.drop(depth);
      return blocks.map((transactions) => ledger.mine(transactions).header);
    },
    stallFinality(stalled) {
      state.stalledAt = stalled ? finalHeight(state) : null;
    },
    failNext(times, { method, retryable = true } = {}) {
      state.failures = { times, method: method ?? null, retryable };
    },
    setLag(blocks) {
      state.lag = blocks;
    },
    lie(lies = {}) {
      state.lies = lies;
    },
    setMismatches(mismatches) {
      state.mismatches = mismatches;
    },
  };
}

interface FakeState {
  readonly definition: ChainDefinition;
  readonly ledger: FakeLedger;
  readonly finalityBlocks: number;
  stalledAt: number | null;
  failures: { times: number; readonly method: FakeMethod | null; readonly retryable: boolean };
  lag: number;
  lies: FakeLies;
  mismatches: readonly CurrencyMismatch[];
  lastError: string | null;
}

function portOf(state: FakeState): ChainPort {
  const { definition, ledger } = state;
  const visible = (number: number): ChainBlock | null =>
    number > shownHead(state) ? null : ledger.at(number);
  return {
    definition,
    head: async () => {
      failIfAsked(state, 'head');
      return state.lies.head?.(shownHead(state)) ?? shownHead(state);
    },
    finalBlock: async (atMost) => {
      failIfAsked(state, 'finalBlock');
      const ceiling = definition.nodeFinality === 'none' ? atMost : Math.min(atMost, finalHeight(state));
      const block = ceiling < 0 ? null : (visible(ceiling)?.header ?? null);
      const answer = block === null ? null : { number: block.number, hash: block.hash };
      return state.lies.finalBlock === undefined ? answer : state.lies.finalBlock(answer);
    },
    headers: async (from, to) => {
      failIfAsked(state, 'headers');
      const headers: BlockHeader[] = [];
      for (let number = Math.max(0, from); number <= Math.min(to, shownHead(state)); number++) {
        const block = visible(number);
        if (block !== null) headers.push(block.header);
      }
      return state.lies.headers?.(headers) ?? headers;
    },
    headerOf: async (hash) => headerOf(state, hash),
    readBlock: async (number, watched) => {
      failIfAsked(state, 'readBlock');
      const block = visible(number);
      const ids = new Set(watched.map(({ currencyId }) => currencyId));
      const transfers = block?.transfers.filter(({ amount }) => ids.has(amount.currencyId)) ?? [];
      const answer = block === null ? null : { header: block.header, transfers, untraced: [] };
      return state.lies.readBlock === undefined ? answer : state.lies.readBlock(answer);
    },
    confirmBlock: async (block, doubt) => {
      failIfAsked(state, 'confirmBlock');
      if (visible(block.number)?.header.hash === block.hash) return;
      throw outage(state, `there is no block ${block.hash}, one that ${doubt}`, true);
    },
    readFinal: null,
    balances: async (addresses, currency, at) => {
      failIfAsked(state, 'balances');
      if (visible(at.number)?.header.hash !== at.hash)
        throw outage(state, `there is no block ${at.hash}`, true);
      const { currencyId } = currency;
      return addresses.map((address) => amountOf(currencyId, ledger.balance(address, currencyId, at.number)));
    },
    checkCurrencies: async (currencies) => {
      failIfAsked(state, 'checkCurrencies');
      return state.mismatches.filter((one) =>
        currencies.some(({ currencyId }) => currencyId === one.currencyId),
      );
    },
    gaps: () => [],
    health: () => [{ endpoint: 'fake', healthy: state.lastError === null, lastError: state.lastError }],
  };
}

function headerOf(state: FakeState, hash: string): BlockHeader | null {
  failIfAsked(state, 'headers');
  for (let number = shownHead(state); number >= 0; number--) {
    const header = state.ledger.at(number)?.header;
    if (header?.hash === hash) return header;
  }
  return null;
}

function shownHead(state: FakeState): number {
  return Math.max(0, state.ledger.head - state.lag);
}

function finalHeight(state: FakeState): number {
  return state.stalledAt ?? Math.max(0, state.ledger.head - state.finalityBlocks);
}

function failIfAsked(state: FakeState, method: FakeMethod): void {
  const { failures } = state;
  state.lastError = null;
  if (failures.times <= 0 || (failures.method !== null && failures.method !== method)) return;
  failures.times--;
  throw outage(state, `${method} fails on demand`, failures.retryable);
}

function outage(state: FakeState, reason: string, retryable: boolean): Outage {
  state.lastError = reason;
  return new Outage(`${state.definition.name}: fake ${reason}`, { retryable });
}
