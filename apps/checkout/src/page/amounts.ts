// Amounts as people read them and as machines take them: made from decimal strings, never through a floating-point number.

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

/** People read this many digits at once, so only longer runs of digits are grouped. */
const READ_AT_ONCE = 4;

/** 25371.842113 in the parts 25, 371.842 and 113. Put together they are the amount again. */
export function digitGroups(amount: string): readonly string[] {
  const [whole = '', fraction = ''] = amount.split('.');
  const before = whole.length <= READ_AT_ONCE ? [whole] : whole.split(/\B(?=(?:\d{3})+$)/);
  if (fraction === '') return before;
  const after = fraction.length <= READ_AT_ONCE ? [fraction] : (fraction.match(/\d{1,3}/g) ?? []);
  return [...before.slice(0, -1), `${before.at(-1)}.${after[0]}`, ...after.slice(1)];
}

/** Amounts that stand under each other, all with the decimals of the longest. */
export function withDecimals(amounts: readonly string[]): readonly string[] {
  const parts = amounts.map((amount) => amount.split('.'));
  const decimals = Math.max(0, ...parts.map(([, fraction = '']) => fraction.length));
  if (decimals === 0) return amounts;
  return parts.map(([whole, fraction = '']) => `${whole}.${fraction.padEnd(decimals, '0')}`);
}
