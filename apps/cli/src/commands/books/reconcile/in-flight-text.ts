// Outgoing transactions that have not ended, and unexplained outflows, as ducat reconcile shows them.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Amount } from '@ducat/core/money/amount';
import { formatAmount } from '@ducat/core/money/decimal';
import type { InFlightReport } from '@ducat/gateway/db/reports/in-flight';
import { columns, harmless } from '../../../terminal.ts';

/** No lines where nothing is in flight and everything is explained. */
export function inFlightText(report: InFlightReport, definition: ChainDefinition): readonly string[] {
  const { items, count, unexplained, untaken, gas } = inFlightJson(report, definition);
  const rows = items.map(({ kind, action, subject, state, amount, txid, trouble }) => [
    action === 'transfer' ? kind : action,
    subject,
    state,
    amount,
    txid ?? '',
    harmless(trouble ?? ''),
  ]);
  const head = ['ON ITS WAY', 'OF', 'STATE', 'AMOUNT', 'TRANSACTION', 'TROUBLE'];
  const table = rows.length === 0 ? [] : columns([head, ...rows], '  ');
  const more = count > items.length ? [`  and ${count - items.length} more`] : [];
  const sums = [
    ...gas.map((amount) => `  Network fees booked: ${amount}`),
    ...untaken.map((amount) => `  Sent, and not yet taken by its payout: ${amount}`),
    ...unexplained.map((amount) => `  ✗ Left and unexplained: ${amount}; see ducat payouts outflows`),
  ];
  const all = [...table, ...more, ...sums];
  return all.length === 0 ? [] : [...all, ''];
}

export function inFlightJson(report: InFlightReport, definition: ChainDefinition) {
  const text = (amount: Amount): string => {
    const currency = definition.currencies.find(({ currencyId }) => currencyId === amount.currencyId);
    return currency === undefined
      ? `of currency ${amount.currencyId}, which is not configured`
      : `${formatAmount(amount, currency)} ${currency.symbol}`;
  };
  return {
    items: report.items.map(({ kind, action, subjectId, state, from, to, amount, txId, trouble }) => ({
      kind,
      action,
      subject: subjectId,
      state,
      from,
      to,
      amount: text(amount),
      txid: txId,
      trouble,
    })),
    count: report.count,
    unexplained: report.unexplained.map(text),
    untaken: report.untaken.map(text),
    gas: report.gas.map(text),
  };
}
