// The product's own checks of its books: at the end they must have seen everything, and must have found nothing.
import { nativeCurrency } from '@ducat/core/chain/chain';
import { dustOf } from '@ducat/core/chain/surplus';
import { unitsOf } from '@ducat/core/money/amount';
import { auditBooks } from '@ducat/gateway/db/reports/audit';
import type { Reader } from '@ducat/gateway/db/postgres/tx';
import type { SimChain } from '../nodes/sim-chain.ts';
import type { Findings } from './findings.ts';

interface CheckRow {
  readonly chain: string;
  readonly currency_id: number;
  readonly touched_until: number;
  readonly trouble: string | null;
  /** The oldest time at which a part of the addresses was compared; null while a part was never compared. */
  readonly oldest_ms: number | null;
}

interface DifferenceRow {
  readonly chain: string;
  readonly currency_id: number;
  readonly address_id: number;
  readonly difference: string;
}

export class ReconciliationChecker {
  /** How often all balances had been compared with the books. */
  checks = 0;
  readonly #findings: Findings;
  readonly #chains: readonly SimChain[];
  /** When all payments had become final. */
  #sinceMs: number | null = null;

  constructor(findings: Findings, chains: readonly SimChain[]) {
    this.#findings = findings;
    this.#chains = chains;
  }

  /**
   * The reason why the product has not compared every address since all payments became final. Null where it has;
   * then its findings are checked.
   */
  async unseen(reader: Reader, nowMs: number): Promise<string | null> {
    this.#sinceMs ??= nowMs;
    const rows = await reader.read<CheckRow>(CHECKS, []);
    for (const { definition, lastPaidBlock } of this.#chains) {
      for (const { currencyId, enabled } of definition.currencies) {
        if (!enabled) continue;
        const row = rows.find((one) => one.chain === definition.name && one.currency_id === currencyId);
        if (row === undefined) return `${currencyId} was never compared`;
        const { touched_until: touched, oldest_ms: oldest, trouble } = row;
        if (touched < lastPaidBlock) return `${currencyId} is compared up to ${touched}: ${trouble}`;
        if ((oldest ?? 0) < this.#sinceMs) return `${currencyId}: a round has not ended: ${trouble}`;
      }
    }
    await this.#expectAgreement(reader);
    this.checks++;
    return null;
  }

  async #expectAgreement(reader: Reader): Promise<void> {
    for (const finding of await auditBooks(reader))
      this.#findings.add('7 the books agree with themselves', finding);
    for (const row of await reader.read<DifferenceRow>(DIFFERENCES, [])) {
      const chain = this.#chains.find(({ definition }) => definition.name === row.chain);
      const native = chain === undefined ? null : nativeCurrency(chain.definition);
      // Up to dust, internal transactions are not searched for, so they stay a difference.
      const dust = native?.currencyId === row.currency_id ? unitsOf(dustOf(native)) : 0n;
      const units = BigInt(row.difference);
      const message = `${row.chain} ${row.currency_id}: address ${row.address_id} differs by ${units}`;
      this.#findings.expect(units > 0n && units <= dust, '7 ledger and chain agree', message);
    }
  }
}

const CHECKS = `
  SELECT chain, currency_id, touched_until, trouble,
         CASE WHEN array_position(parts_ms, NULL) IS NULL AND cardinality(parts_ms) > 0
           THEN (SELECT min(ms) FROM unnest(parts_ms) AS ms) END AS oldest_ms
  FROM reserve_checks ORDER BY chain, currency_id`;

const DIFFERENCES = `
  SELECT chain, currency_id, address_id, (actual - expected)::text AS difference
  FROM balance_differences ORDER BY chain, currency_id, address_id`;
