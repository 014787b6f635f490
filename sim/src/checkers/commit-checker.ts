// After every commit: what its statements wrote is read and compared, and nothing else.
import type { Reader } from '@ducat/gateway/db/postgres/tx';
import type { SimChain } from '../nodes/sim-chain.ts';
import type { PayoutChecker } from '../outgoing/payout-checker.ts';
import { readOutgoing } from '../outgoing/payout-books.ts';
import type { SimProcess } from '../world/sim-process.ts';
import { readCursors, readLeases, readMoney, readOutbox } from './books.ts';
import type { Findings } from './findings.ts';
import { MoneyChecker } from './money.ts';
import { OutboxChecker } from './outbox.ts';

/** Tables of which the checker of the money reads nothing but the cursors, so that a commit to these changes nothing else. */
const OUTSIDE_MONEY: ReadonlySet<string> = new Set([
  'blocks',
  'chain_cursors',
  'addresses',
  'account_keys',
  'events',
  'delivery_attempts',
  'leases',
]);
/** Of which no order, cursor or transfer is read. */
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
/** Who commits for a chain under its lease alone. */
const LEASED: ReadonlySet<string> = new Set(['watcher', 'payer']);
const OUTBOX_TABLES: ReadonlySet<string> = new Set(['events', 'delivery_attempts']);
/** So often everything is read whatever was written, should a table ever change by another way. */
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

  /** Nobody else may commit anything of a chain than whoever holds its lease. */
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
