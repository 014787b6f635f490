// After every commit, reads and checks the tables that its statements wrote, and no others.
import type { Reader } from '@ducat/gateway/db/postgres/tx';
import type { SimChain } from '../nodes/sim-chain.ts';
import type { PayoutChecker } from '../outgoing/payout-checker.ts';
import { readOutgoing } from '../outgoing/payout-books.ts';
import type { SimProcess } from '../world/sim-process.ts';
import { readCursors, readLeases, readMoney, readOutbox } from './books.ts';
import type { Findings } from './findings.ts';
import { MoneyChecker } from './money.ts';
import { OutboxChecker } from './outbox.ts';

/** Tables that the money checker does not read, except for the cursors. A commit to these alone can change nothing else. */
const OUTSIDE_MONEY: ReadonlySet<string> = new Set([
  'blocks',
  'chain_cursors',
  'addresses',
  'account_keys',
  'events',
  'delivery_attempts',
  'leases',
]);
/** The tables of payouts and collections. They hold no order, cursor or transfer. */
const OUTGOING_TABLES: ReadonlySet<string> = new Set([
  'payouts',
  'order_refunds',
  'receipt_refunds',
  'payout_approvals',
  'senders',
  'outgoing_transactions',
  'outgoing_variants',
  'holdings',
  'collections',
]);
/** The kinds of processes that may commit for a chain only under its lease. */
const LEASED: ReadonlySet<string> = new Set(['watcher', 'payer']);
const OUTBOX_TABLES: ReadonlySet<string> = new Set(['events', 'delivery_attempts']);
/** Each so many checks read everything, whatever was written, in case a table changes in another way. */
const WHOLE_CHECK_EACH = 16;

export interface CommitCheckerParts {
  readonly reader: Reader;
  readonly findings: Findings;
  readonly chains: readonly SimChain[];
  /** Null where nothing is paid out. */
  readonly outgoing: PayoutChecker | null;
  /** How far two clocks may be apart. */
  readonly slackMs: number;
}

export class CommitChecker {
  readonly #parts: CommitCheckerParts;
  readonly #money: MoneyChecker;
  readonly #outbox: OutboxChecker;
  #checks = 0;

  constructor(parts: CommitCheckerParts) {
    this.#parts = parts;
    this.#money = new MoneyChecker(parts.chains, parts.findings);
    this.#outbox = new OutboxChecker(parts.findings, parts.slackMs);
  }

  beCalm(nowMs: number): void {
    this.#outbox.beCalm(nowMs);
  }

  async check(committed: readonly SimProcess[], written: readonly string[]): Promise<void> {
    const { reader, outgoing } = this.#parts;
    const isWhole = ++this.#checks % WHOLE_CHECK_EACH === 0;
    const isOutside = (table: string): boolean => OUTSIDE_MONEY.has(table) || OUTGOING_TABLES.has(table);
    if (isWhole || written.some((table) => !isOutside(table))) {
      this.#money.check(await readMoney(reader));
    } else if (written.includes('chain_cursors')) {
      this.#money.checkCursors(await readCursors(reader));
    }
    if (isWhole || written.some((table) => OUTBOX_TABLES.has(table))) {
      this.#outbox.check(await readOutbox(reader));
    }
    if (outgoing !== null && (isWhole || written.some((table) => OUTGOING_TABLES.has(table)))) {
      outgoing.check(await readOutgoing(reader));
    }
    if (committed.some(({ kind }) => LEASED.has(kind)))
      this.#checkLeases(committed, await readLeases(reader));
  }

  /** Only the holder of a chain's lease may commit anything for the chain. */
  #checkLeases(committed: readonly SimProcess[], holders: readonly (string | null)[]): void {
    for (const { kind, name } of committed) {
      if (!LEASED.has(kind)) continue;
      const isHeld = holders.includes(name);
      this.#parts.findings.expect(
        isHeld,
        'one watcher a chain',
        `${name} committed and does not hold the lease`,
      );
    }
  }
}
