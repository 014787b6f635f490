// Logs each address with a surplus that the search found, and what was booked for it.
import { nativeCurrency } from '@ducat/core/chain/chain';
import { explain } from '@ducat/core/chain/explain';
import { isZero } from '@ducat/core/money/amount';
import { formatAmount } from '@ducat/core/money/decimal';
import type { BalanceFinding, ConfirmedInternal } from '../../../flows/blocks/confirm-internal.ts';
import type { LeasedChain } from '../parts.ts';
import { reportSettled } from '../report.ts';

/** One line for each part of a surplus, and one for the transaction that booked them. */
export function reportFindings(
  watch: LeasedChain,
  findings: readonly BalanceFinding[],
  confirmed: Extract<ConfirmedInternal, { readonly outcome: 'confirmed' }>,
): void {
  const { chain, log, observer } = watch;
  const { definition } = chain;
  const native = nativeCurrency(definition);
  const { explained, unexplained, dismissed, settled } = confirmed;
  for (const { address, at, gains } of findings) {
    for (const { block, amount, candidates } of gains) {
      const { confirmed: fitting, rest } = explain(amount, candidates);
      const fields = {
        chain: definition.name,
        block: block.number,
        hash: block.hash,
        address,
        comparedAt: at,
      };
      const difference = formatAmount(amount, native);
      const outcome = isZero(rest) ? 'explained' : 'unassigned';
      const txIds = fitting.map(({ txId }) => txId);
      log.info(
        { ...fields, difference, outcome, rest: formatAmount(rest, native), txIds },
        'a balance is above the books',
      );
    }
  }
  if (explained + unexplained + dismissed > 0) {
    const fields = { flow: 'confirm-internal', chain: definition.name, explained, unexplained, dismissed };
    log[unexplained > 0 ? 'warn' : 'info'](fields, 'internal transactions');
  }
  if (explained > 0) observer.onInternal(definition.name, 'explained', explained);
  if (unexplained > 0) observer.onInternal(definition.name, 'unassigned', unexplained);
  reportSettled(watch, settled);
}
