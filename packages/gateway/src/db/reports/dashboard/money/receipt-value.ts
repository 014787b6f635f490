// The value of a receipt when it was booked, by the price history. All statements use this rule.
import { receiptFacts } from '@ducat/core/ledger/entry';
import { RATE_DECIMALS } from '@ducat/core/money/reading';
import { VALUE_DECIMALS } from '@ducat/core/payout/open-payout';
import { newestPrice } from '../../../tables/price-history.ts';

export interface ReceiptValue {
  /** Null if no price was known, or the newest was too old. */
  readonly known: {
    /** In 10^-6 USD, rounded down. */
    readonly value: bigint;
    /** The price of one whole token, in 10^-18 USD, and its time in Unix seconds. */
    readonly priceUnits: bigint;
    readonly priceAt: number;
  } | null;
}

export interface ReceiptRow {
  readonly isReceipt: boolean;
  readonly value: string | null;
  readonly price: string | null;
  readonly priceAt: number | null;
}

export function receiptOf({ isReceipt, value, price, priceAt }: ReceiptRow): ReceiptValue | null {
  if (!isReceipt) return null;
  if (value === null || price === null || priceAt === null) return { known: null };
  return { known: { value: BigInt(value), priceUnits: BigInt(price), priceAt } };
}

// Below, `p` is a posting and `e` its entry. Both functions take the SQL of the currency's number.
const FACTS = receiptFacts.map((fact) => `'${fact}'`).join(', ');

export const IS_RECEIPT = `(e.fact IN (${FACTS}) AND p.units > 0)`;

/** Joins a price to receipts only. */
export const priceIn = (currencyId: string, isValued = IS_RECEIPT) =>
  `LEFT JOIN LATERAL (SELECT * FROM (${newestPrice(currencyId, 'e.at_ms')}) AS newest WHERE ${isValued}) AS price ON true`;

/** The same as core's `fiatValueOf`, rounded down. */
export const valueIn = (currencyId: string) => `div(p.units * price.price,
  (SELECT ('1' || repeat('0', ${RATE_DECIMALS - VALUE_DECIMALS} + decimals))::numeric FROM currencies WHERE currency_id = ${currencyId}))`;
