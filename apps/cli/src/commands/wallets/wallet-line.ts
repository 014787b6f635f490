// One line of `ducat wallets list`, and how amounts are shown in it.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Amount } from '@ducat/core/money/amount';
import { formatAmount } from '@ducat/core/money/decimal';

export interface WalletLine {
  readonly chain: string;
  /** `wallet`, `gas wallet`, `deposits`, a state of deposits, `stake`, a part of the stake, or `cold`. */
  readonly what: string;
  readonly owner: string;
  readonly amount: string;
  readonly note: string;
}

export function amountText({ currencies }: ChainDefinition, amount: Amount): string {
  const currency = currencies.find(({ currencyId }) => currencyId === amount.currencyId);
  return currency === undefined
    ? `of currency ${amount.currencyId}, which is not configured`
    : `${formatAmount(amount, currency)} ${currency.symbol}`;
}
