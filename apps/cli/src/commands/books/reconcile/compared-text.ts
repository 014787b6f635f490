// The comparison of a chain with the books, as ducat reconcile shows it.
import { isZero, subtract } from '@ducat/core/money/amount';
import { formatAmount } from '@ducat/core/money/decimal';
import type { ComparedChain, ComparedCurrency } from '@ducat/gateway/roles/maintenance/compare-chain';
import { type ComparedCold, isColdShort } from '@ducat/gateway/roles/maintenance/compare-cold';
import { columns, paletteFor } from '../../../terminal.ts';

export interface LookedAtChain {
  readonly chain: string;
  readonly state: 'clean' | 'differs' | 'halted' | 'unreachable';
  /** Why the chain, or some of its currencies, could not be compared; null where all were compared. */
  readonly reason: string | null;
  readonly compared: ComparedChain | null;
}

/** The line of the chain and, where it was compared, a table of its currencies. */
export function comparedText({ chain, state, reason, compared }: LookedAtChain): readonly string[] {
  const { bold, dim, green, red, yellow } = paletteFor(process.stdout);
  const paint = { clean: green, differs: red, halted: yellow, unreachable: yellow }[state];
  const title = `${bold(chain)} ${paint(state)}${reason === null ? '' : `: ${reason}`}`;
  if (compared === null) return [title, ''];
  const { finalBlock, addresses, currencies } = compared;
  if (finalBlock === null) return [title, ''];
  const at = `from block ${finalBlock}, ${addresses} addresses`;
  if (currencies.length === 0) return [`${title} ${dim(`(${at})`)}`, ''];
  const head = ['', 'CURRENCY', 'LEDGER', 'CHAIN', 'DIFFERENCE', 'ADDRESSES THAT DIFFER', 'AT BLOCK'];
  const rows = currencies
    .filter((one) => !isEmpty(one) || isBehind(one, finalBlock))
    .map((one) => {
      const { currency, ledger, chain: held, difference } = amounts(chain, one);
      const mark = one.trouble !== null ? '?' : one.differing > 0 ? '✗' : '✓';
      return [mark, currency, ledger, held, difference, String(one.differing), String(one.atBlock ?? '')];
    });
  const empty = currencies.length - rows.length;
  if (empty > 0) rows.push(['✓', emptyText(empty, rows.length > 0), '0', '0', '0', '0', '']);
  const differences = currencies.flatMap((one) =>
    one.differences.map(
      ({ address, difference, atBlock }) =>
        `  ✗ ${address} ${formatAmount(difference, one.currency)} ${one.currency.symbol} at block ${atBlock}`,
    ),
  );
  return [`${title} ${dim(`(${at})`)}`, ...columns([head, ...rows], '  '), ...differences, ''];
}

/** Whether neither the books nor the chain have any of the currency, as with most currencies that a chain offers. */
function isEmpty({ ledger, chain, differing, trouble }: ComparedCurrency): boolean {
  return trouble === null && differing === 0 && isZero(ledger) && isZero(chain);
}

/** Whether money of the newest blocks is not in the comparison yet, as with a coin whose last blocks are still searched. */
function isBehind({ atBlock }: ComparedCurrency, finalBlock: number): boolean {
  return atBlock !== null && atBlock < finalBlock;
}

function emptyText(count: number, areOthers: boolean): string {
  if (areOthers) return count === 1 ? '1 other' : `${count} others`;
  return count === 1 ? '1 currency' : `${count} currencies`;
}

/** The lines of cold storage. It may hold more than the books say, because its keys are the operator's own. */
export function coldText(cold: readonly ComparedCold[]): readonly string[] {
  if (cold.length === 0) return [];
  const rows = cold.map((one) => {
    const { address, currency, ledger, chain } = one;
    const held = chain === null ? 'not asked' : formatAmount(chain, currency);
    const mark = chain === null ? '?' : isColdShort(one) ? '✗' : '✓';
    return [mark, address, currency.symbol, formatAmount(ledger, currency), held];
  });
  return [...columns([['', 'COLD STORAGE', 'CURRENCY', 'LEDGER', 'CHAIN'], ...rows], '  '), ''];
}

/** What is shown of a currency, in its own unit. */
export function amounts(chain: string, { currency, ledger, chain: held }: ComparedCurrency) {
  const difference = subtract(held, ledger);
  return {
    currency: `${currency.symbol}@${chain}`,
    ledger: formatAmount(ledger, currency),
    chain: formatAmount(held, currency),
    difference: isZero(difference) ? '0' : formatAmount(difference, currency),
  };
}
