// Amounts as people read them and as machines take them: from decimal strings, never through a floating-point number.

/** Whole base units of a decimal string. */
export function unitsOf(amount: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

/** A sum of fiat in the words of a language, in digits that can be copied. */
export function fiatText(
  language: string,
  { name, amount }: { readonly name: string; readonly amount: string },
) {
  const digits = Math.max(2, (amount.split('.')[1] ?? '').length);
  try {
    const style = {
      style: 'currency',
      currency: name,
      minimumFractionDigits: 2,
      maximumFractionDigits: digits,
    } as const;
    // The formatter takes decimal strings as they are, which its type does not know yet.
    return new Intl.NumberFormat(`${language}-u-nu-latn`, style).format(amount as `${number}`);
  } catch {
    return `${amount} ${name}`;
  }
}

/** Whether `one` is more than `other`, both of the same currency. */
export function isMore(one: string, other: string, decimals: number): boolean {
  return unitsOf(one, decimals) > unitsOf(other, decimals);
}
