// A static QR code: one address for good, which anybody may pay to as often as they like.
import { type Currency, creditBound } from '../chain/currency.ts';
import { type Amount, compare, zero } from '../money/amount.ts';
import { parseAmount } from '../money/decimal.ts';
import { fieldInvalid } from '../refusal.ts';
import { accept, type Result, refuse } from '../result.ts';

/** What decides whether a transfer to its address counts. */
export interface QrCode {
  readonly qrCodeId: number;
  readonly appId: string;
  readonly currencyId: number;
  /** Unix seconds. */
  readonly createTime: number;
  /** Unix seconds; a payment of a later block counts as late. Null while it takes payments. */
  readonly disabledTime: number | null;
}

/** The amount that payers are asked to send, zero where they choose. It binds no payer: any other amount counts as well. */
export function defaultAmount(text: string | undefined, currency: Currency): Result<Amount> {
  if (text === undefined) return accept(zero(currency.currencyId));
  const amount = parseAmount(text, currency);
  if (amount === null) {
    const message = `must be a plain decimal with at most ${currency.decimals} decimals, as ${currency.symbol} has`;
    return refuse(fieldInvalid('amount', message));
  }
  if (compare(amount, creditBound(currency)) === 1) {
    return refuse(fieldInvalid('amount', `is more than ${currency.symbol} is believed to move`));
  }
  return accept(amount);
}
