// The product's own check of its books, which must find nothing, and which must have seen the end.
import { isExplained } from '@ducat/core/ledger/reconcile';
import type { BookCheck } from '@ducat/gateway/roles/clerk/check-books';
import type { CursorRow } from '../books.ts';
import type { Findings } from '../findings.ts';

/** How an audit that the database did not end is told; the next one does. */
const NOT_CHECKED = /^not checked, /;

export class ReconciliationChecker {
  /** How often books and chains were compared, the whole of them. */
  checks = 0;
  readonly #findings: Findings;
  readonly #chains: number;
  #last: BookCheck | null = null;

  constructor(findings: Findings, chains: number) {
    this.#findings = findings;
    this.#chains = chains;
  }

  hear(check: BookCheck): void {
    const found = check.troubles.filter((trouble) => !NOT_CHECKED.test(trouble));
    for (const trouble of found) this.#findings.add('7 the books agree with themselves', trouble);
    for (const { chain, currencies } of check.chains) {
      for (const currency of currencies) {
        const { currencyId, unexplained, astray } = currency;
        const message = `${chain} ${currencyId}: ${unexplained.units} unexplained, ${astray.units} astray`;
        this.#findings.expect(isExplained(currency), '7 ledger and chain agree', message);
      }
    }
    this.#last = check;
    const isAnswered = check.chains.every(({ unanswered }) => unanswered.length === 0);
    if (isAnswered && check.troubles.length === found.length && check.chains.length === this.#chains) {
      this.checks++;
    }
  }

  /** Whether the last check compared every currency of every chain at its final block of now. */
  hasSeen(cursors: readonly CursorRow[]): boolean {
    if (this.#last === null) return false;
    const { chains, troubles } = this.#last;
    if (troubles.length > 0 || chains.length < this.#chains) return false;
    return chains.every(({ chain, at, unanswered }) => {
      const cursor = cursors.find((one) => one.chain === chain);
      return (at?.number ?? null) === (cursor?.final_number ?? null) && unanswered.length === 0;
    });
  }
}
