// The product's own check of its books, which must find nothing, and which must have seen the end.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { isExplained } from '@ducat/core/ledger/reconcile';
import type { BookCheck } from '@ducat/gateway/roles/maintenance/check-books';
import type { CursorRow } from './books.ts';
import type { Findings } from './findings.ts';

/** How an audit that the database did not end is told; the next one does. */
const NOT_CHECKED = /^not checked, /;

export class ReconciliationChecker {
  /** How often books and chains were compared, the whole of them. */
  checks = 0;
  readonly #findings: Findings;
  readonly #chains: readonly ChainDefinition[];
  #last: BookCheck | null = null;

  constructor(findings: Findings, chains: readonly ChainDefinition[]) {
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
    if (check.troubles.length === found.length && this.#isWhole(check)) this.checks++;
  }

  /** Whether the last check compared every currency of every chain at its final block of now. */
  hasSeen(cursors: readonly CursorRow[]): boolean {
    if (this.#last === null) return false;
    const { chains, troubles } = this.#last;
    if (troubles.length > 0 || !this.#isWhole(this.#last)) return false;
    return chains.every(({ chain, at }) => {
      const cursor = cursors.find((one) => one.chain === chain);
      return (at?.number ?? null) === (cursor?.final_number ?? null);
    });
  }

  /** Whether every currency that a chain is asked to hold was compared; none is where it has no final block yet. */
  #isWhole({ chains }: BookCheck): boolean {
    return this.#chains.every(({ name, currencies }) => {
      const told = chains.find(({ chain }) => chain === name);
      if (told === undefined || told.unanswered.length > 0) return false;
      const compared = new Set(told.currencies.map(({ currencyId }) => currencyId));
      const held = currencies.filter(({ enabled }) => enabled);
      return told.at === null || held.every(({ currencyId }) => compared.has(currencyId));
    });
  }
}
