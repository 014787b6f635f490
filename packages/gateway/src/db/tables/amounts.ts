// Amounts on their way into and out of the database, where they are numeric(100,0) and travel as text.
import { type Amount, amountOf, unitsOf } from '@ducat/core/money/amount';

export function toNumeric(amount: Amount): string {
  return unitsOf(amount).toString();
}

export function fromNumeric(currencyId: number, units: string): Amount {
  return amountOf(currencyId, BigInt(units));
}
