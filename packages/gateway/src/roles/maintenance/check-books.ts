// The continuous proof: the books against themselves and against each chain, trouble said loudly.
import { isExplained } from '@ducat/core/ledger/reconcile';
import { unitsOf } from '@ducat/core/money/amount';
import type { ChainReader } from '../../chains/port/reader.ts';
import type { Log } from '../../runtime/log.ts';
import { Outage } from '../../runtime/outage.ts';
import { auditBooks } from '../../db/reports/audit.ts';
import type { Reader } from '../../db/postgres/tx.ts';
import { type ChainReconciliation, reconcileChain } from './reconcile.ts';

export interface BookCheck {
  /** What is wrong inside the books, in words. */
  readonly troubles: readonly string[];
  readonly chains: readonly ChainReconciliation[];
  /** Chains that could not be asked this time. */
  readonly unreachable: readonly string[];
}

/** Checks everything once; a chain that cannot be asked is named and left for the next time. */
export async function checkBooks(reader: Reader, chains: readonly ChainReader[], log: Log): Promise<BookCheck> {
  const troubles = await auditBooks(reader);
  for (const trouble of troubles) log.error({ trouble }, 'the books do not agree with themselves');
  const reconciled: ChainReconciliation[] = [];
  const unreachable: string[] = [];
  for (const chain of chains) {
    try {
      const result = await reconcileChain(reader, chain);
      reconciled.push(result);
      report(result, log);
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      unreachable.push(chain.definition.name);
      log.warn({ chain: chain.definition.name, error }, 'a chain could not be reconciled');
    }
  }
  return { troubles, chains: reconciled, unreachable };
}

function report(result: ChainReconciliation, log: Log): void {
  for (const { currencyId, reason } of result.unanswered) {
    log.warn({ chain: result.chain, currencyId, reason }, 'a currency could not be reconciled');
  }
  for (const currency of result.currencies) {
    if (isExplained(currency)) continue;
    const { chain, at } = result;
    const fields = { chain, block: at?.number, currencyId: currency.currencyId };
    log.error(
      {
        ...fields,
        unexplained: unitsOf(currency.unexplained).toString(),
        astray: unitsOf(currency.astray).toString(),
      },
      'ledger and chain differ',
    );
  }
}
