// The checks of one chain, a step at a time: finds the currency that is due, checks it, and pauses it after a failure.
import type { Currency } from '@ducat/core/chain/currency';
import { isNativeCurrency } from '@ducat/core/chain/currency';
import { type CheckKind, type CurrencyNeeds, nextCheck, roundDueMs } from '@ducat/core/reserves/plan';
import { type BooksHeight, readBooksHeight, readHeldCurrencies } from '../../db/reports/books-height.ts';
import { readTouchedCurrencies } from '../../db/reports/touched-addresses.ts';
import { readDifferingCurrencies } from '../../db/tables/books/balance-differences.ts';
import type { HeldLease } from '../../db/tables/leases.ts';
import { readReserveChecks, type ReserveCheck } from '../../db/tables/books/reserve-checks.ts';
import { recordTrouble } from '../../flows/checks/record-trouble.ts';
import { setUpChecks } from '../../flows/checks/set-up-checks.ts';
import { skipUntouched } from '../../flows/checks/skip-untouched.ts';
import { Outage } from '../../runtime/outage.ts';
import { checkCurrency } from './check-currency.ts';
import type { ReserveChain } from './compare-balances.ts';
import type { ReserveChecks } from './reserve-checks.ts';

/** How often the books are searched for addresses whose balance changed, and for currencies to compare. */
export const SEARCH_EVERY_MS = 15_000;
/** A page may be due the next moment. Waiting for it must not become a busy loop. */
const SHORTEST_PAUSE_MS = 100;
/** How often addresses that differ are compared again. */
const DIFFERING_EVERY_MS = 5 * 60_000;
/** The pause of a currency after a failure, twice as long after each that follows. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 5 * 60_000;

/** The result of a step. */
export interface Step {
  readonly calls: number;
  /** For how many milliseconds nothing but a search is due. */
  readonly freeMs: number;
}

interface Failure {
  readonly times: number;
  readonly atMs: number;
  readonly pauseMs: number;
}

/**
 * All that an instance knows between steps is also in the rows, where a process that starts anew finds it. A clock that ran
 * ahead and was set right makes no pause longer.
 */
export class ChainChecks {
  readonly #checks: ReserveChecks;
  readonly #chain: ReserveChain;
  readonly #lease: HeldLease;
  readonly #signal: AbortSignal;
  #last: CheckKind | null = null;
  #searchedMs = -Infinity;
  /** The height of the books at the last search, and the currencies that have rows. */
  #searched = '';
  #setUpFor = '';
  #differingMs = -Infinity;
  /** Currencies in which a balance changed, and in which a balance differs, that were not checked since. */
  #touched: Set<number> = new Set();
  #differing: Set<number> = new Set();
  readonly #failures = new Map<number, Failure>();

  constructor(checks: ReserveChecks, chain: ReserveChain, lease: HeldLease, signal: AbortSignal) {
    this.#checks = checks;
    this.#chain = chain;
    this.#lease = lease;
    this.#signal = signal;
  }

  /** Makes the check that is due. Throws Outage where the database is away. */
  async step(): Promise<Step> {
    const { reader, world, limits } = this.#checks;
    const { name, currencies } = this.#chain.definition;
    const height = await readBooksHeight(reader, name);
    // A halted chain waits for an operator. Until then its balances cannot be compared.
    if (height.final === null || height.haltedReason !== null) return { calls: 0, freeMs: SEARCH_EVERY_MS };
    await this.#search(height, height.final.number);
    const rows = await readReserveChecks(reader, name);
    const nowMs = world.nowMs();
    const needs = rows.map(({ currencyId, round }) => ({
      currencyId,
      round,
      hasTouched: this.#touched.has(currencyId),
      hasDiffering: this.#differing.has(currencyId),
      notBeforeMs: pausedUntilMs(this.#failures.get(currencyId), nowMs),
    }));
    const next = nextCheck(needs, this.#last, nowMs, limits.roundMs);
    const currency = currencies.find(({ currencyId }) => currencyId === next?.currencyId);
    const row = rows.find(({ currencyId }) => currencyId === next?.currencyId);
    if (next === null || currency === undefined || row === undefined) {
      return { calls: 0, freeMs: freeMs(needs, nowMs, limits.roundMs) };
    }
    this.#last = next.kind;
    return { calls: await this.#check(next.kind, currency, row, reachedIn(height, currency)), freeMs: 0 };
  }

  async #check(kind: CheckKind, currency: Currency, row: ReserveCheck, reached: number): Promise<number> {
    const { currencyId } = currency;
    let calls = 0;
    const onCall = () => void calls++;
    try {
      const parts = {
        ...this.#checks,
        chain: this.#chain,
        lease: this.#lease,
        signal: this.#signal,
        onCall,
      };
      const isAll = await checkCurrency(parts, { kind, currency, row, reached });
      if (kind === 'touched' && isAll) this.#touched.delete(currencyId);
      if (kind === 'differing') this.#differing.delete(currencyId);
      this.#failures.delete(currencyId);
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      await this.#fail(currency, error);
    }
    return calls;
  }

  async #fail(currency: Currency, error: Outage): Promise<void> {
    const { transact, world, log } = this.#checks;
    const { currencyId, symbol } = currency;
    const chain = this.#chain.definition.name;
    const times = (this.#failures.get(currencyId)?.times ?? 0) + 1;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(times - 1, 10));
    const nowMs = world.nowMs();
    this.#failures.set(currencyId, { times, atMs: nowMs, pauseMs });
    // The first failure is a warning, and so is each one once the pause is at its longest; the others are at debug level.
    const level = times === 1 || pauseMs === LONGEST_PAUSE_MS ? 'warn' : 'debug';
    log[level]({ chain, currencyId, currency: symbol, error }, 'balances could not be compared');
    const trouble = `${error.kind}: ${error.message}`;
    await transact((tx) => recordTrouble(tx, { lease: this.#lease, chain, currencyId, trouble, nowMs }));
  }

  /** Finds the currencies in which a balance changed, at most every `SEARCH_EVERY_MS`, and those in which one differs. */
  async #search(height: BooksHeight, finalNumber: number): Promise<void> {
    const { reader, world } = this.#checks;
    const { name } = this.#chain.definition;
    const nowMs = world.nowMs();
    const state = `${height.final?.number} ${height.searched?.number}`;
    if (state !== this.#searched && Math.abs(nowMs - this.#searchedMs) >= SEARCH_EVERY_MS) {
      const compared = await this.#setUp(finalNumber, nowMs);
      await this.#searchTouched(new Map(compared.map((one) => [one.currencyId, reachedIn(height, one)])));
      this.#searched = state;
      this.#searchedMs = nowMs;
    }
    if (Math.abs(nowMs - this.#differingMs) < DIFFERING_EVERY_MS) return;
    this.#differing = new Set(await readDifferingCurrencies(reader, name));
    this.#differingMs = nowMs;
  }

  /** The currencies that are compared: those that are on, and those of which our addresses hold some. */
  async #setUp(finalNumber: number, nowMs: number): Promise<readonly Currency[]> {
    const { transact, reader } = this.#checks;
    const { name: chain, currencies } = this.#chain.definition;
    const held = await readHeldCurrencies(reader, chain);
    const compared = currencies.filter(({ enabled, currencyId }) => enabled || held.has(currencyId));
    const currencyIds = compared.map(({ currencyId }) => currencyId);
    if (currencyIds.join() === this.#setUpFor) return compared;
    const lease = this.#lease;
    await transact((tx) => setUpChecks(tx, { lease, chain, currencyIds, finalNumber, nowMs }));
    this.#setUpFor = currencyIds.join();
    return compared;
  }

  async #searchTouched(reached: ReadonlyMap<number, number>): Promise<void> {
    const { transact, reader } = this.#checks;
    const { name: chain } = this.#chain.definition;
    this.#touched = new Set(await readTouchedCurrencies(reader, chain, reached));
    const untouched = new Map([...reached].filter(([currencyId]) => !this.#touched.has(currencyId)));
    await transact((tx) => skipUntouched(tx, { lease: this.#lease, chain, untouched }));
  }
}

/** Until when nothing is asked in a currency after a failure. */
function pausedUntilMs(failure: Failure | undefined, nowMs: number): number {
  if (failure === undefined || Math.abs(nowMs - failure.atMs) >= failure.pauseMs) return -Infinity;
  return failure.atMs + failure.pauseMs;
}

/** Milliseconds until the next page of a round is due. */
function freeMs(needs: readonly CurrencyNeeds[], nowMs: number, roundMs: number): number {
  const dueMs = needs.map(({ round, notBeforeMs }) =>
    Math.max(notBeforeMs, roundDueMs(round, nowMs, roundMs)),
  );
  return Math.max(SHORTEST_PAUSE_MS, Math.min(...dueMs) - nowMs);
}

/** The block up to which the books know everything of a currency; -1 while there is none. */
function reachedIn({ final, searched }: BooksHeight, currency: Currency): number {
  return (isNativeCurrency(currency) ? searched : final)?.number ?? -1;
}
