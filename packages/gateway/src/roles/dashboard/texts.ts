// How amounts, addresses and times stand in answers: decimal text of whole tokens, display form, Unix seconds.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Amount } from '@ducat/core/money/amount';
import type { MerchantLimits } from '@ducat/core/access/merchant-limits';
import { formatAmount, formatDecimal, parseDecimal } from '@ducat/core/money/decimal';
import { VALUE_DECIMALS } from '@ducat/core/payout/open-payout';
import type { Reader } from '../../db/postgres/tx.ts';
import { readCurrencies } from '../../db/tables/currencies.ts';
import type { DataDeps } from './data-port.ts';

export interface Texts {
  readonly amount: (amount: Amount) => string;
  /** The same with the number of its currency. */
  readonly money: (amount: Amount) => { readonly currency_id: number; readonly amount: string };
  /** The form that people know; of a chain that is not configured any more, the canonical text. */
  readonly address: (chain: string, canonical: string) => string;
}

/** Also for currencies that are no longer configured, because the database pins their symbols and decimals. */
export async function readTexts({
  reader,
  catalogue,
  addressSchemes,
}: Pick<DataDeps, 'catalogue' | 'addressSchemes'> & { readonly reader: Reader }): Promise<Texts> {
  const pinned = new Map((await readCurrencies(reader)).map((one) => [one.currencyId, one]));
  const amount = (shown: Amount) => {
    const currency = catalogue.find(shown.currencyId)?.currency ?? pinned.get(shown.currencyId);
    if (currency === undefined) throw new Error(`currency ${shown.currencyId} was never configured`);
    return formatAmount(shown, currency);
  };
  return {
    amount,
    money: (shown) => ({ currency_id: shown.currencyId, amount: amount(shown) }),
    address: (name, canonical) => {
      const chain = chainNamed({ catalogue }, name);
      return chain === null ? canonical : addressSchemes[chain.family].display(canonical);
    },
  };
}

/** The definition of a chain by its name, on or off; null where it is not configured. */
export function chainNamed({ catalogue }: Pick<DataDeps, 'catalogue'>, name: string): ChainDefinition | null {
  return catalogue.chains().find(({ definition }) => definition.name === name)?.definition ?? null;
}

/** The decimal text of a value in 10^-6 USD; null stays null. */
export function usdText(value: bigint): string;
export function usdText(value: bigint | null): string | null;
export function usdText(value: bigint | null): string | null {
  return value === null ? null : formatDecimal(value, VALUE_DECIMALS);
}

/** The value in 10^-6 USD of a decimal text; null stays null. */
export function usdOf(text: string | null): bigint | null {
  return text === null ? null : parseDecimal(text, VALUE_DECIMALS);
}

export function limitTexts({ payoutMaxValue, payoutMaxDayValue, maxOpenOrders }: MerchantLimits) {
  return {
    payout_max_usd: usdText(payoutMaxValue),
    payout_max_day_usd: usdText(payoutMaxDayValue),
    max_open_orders: maxOpenOrders,
  };
}

export function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}

export function secondsOrNull(ms: number | null): number | null {
  return ms === null ? null : seconds(ms);
}
