// How amounts are written: decimal strings all the way, never numbers.

/** Groups the whole part as the language does: 1234567.8900 is 1,234,567.8900 in English. */
export function groupDigits(amount: string, language: string): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount) ?? [];
  if (whole === '') return amount;
  const { group, decimal } = marksOf(language);
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, group);
  return `${sign === '' ? '' : '\u2212'}${grouped}${fraction === '' ? '' : `${decimal}${fraction}`}`;
}

/** Every language gets Latin digits, so that an amount can be compared with the one in a wallet. */
function marksOf(language: string): { readonly group: string; readonly decimal: string } {
  const parts = new Intl.NumberFormat(language, {
    useGrouping: 'always',
    numberingSystem: 'latn',
  }).formatToParts(1_234_567.5);
  const valueOf = (type: string) => parts.find((part) => part.type === type)?.value;
  return { group: valueOf('group') ?? ',', decimal: valueOf('decimal') ?? '.' };
}

/** Zeros at the end say nothing: 1.500000 is 1.5, but money keeps two decimals where it has any. */
export function trimZeros(amount: string, keep = 0): string {
  const [whole = '', fraction = ''] = amount.split('.');
  const short = fraction.replace(/0+$/, '').padEnd(keep, '0');
  return short === '' ? whole : `${whole}.${short}`;
}

/**
 * The amount with as many decimals as the longest of `others` needs, and two at least. So the decimal points of a column
 * are aligned.
 */
export function evenDecimals(amount: string, others: readonly string[]): string {
  const places = others.map((other) => trimZeros(other).split('.')[1]?.length ?? 0);
  return trimZeros(amount, Math.max(2, ...places));
}

/** Cuts a value with more decimals than money has to whole cents: 25.509999 is 25.50. */
export function inCents(usd: string): string {
  return trimZeros(usd, 2).replace(/(\.\d\d)\d+$/, '$1');
}

/** The amount with the decimals of its ISO currency: 25.5 USD is 25.50, 900 JPY is 900. */
export function fiatDigits(amount: string, code: string): string {
  if (!/^[A-Z]{3}$/.test(code)) return amount;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: code });
  return trimZeros(amount, format.resolvedOptions().minimumFractionDigits);
}

/** Only for the height of a bar or a line; what is written comes from the string. */
export function forDrawing(amount: string): number {
  return Number(amount);
}

/** The text at the axis of a chart: 1.2K. */
export function compactNumber(value: number, language: string): string {
  return new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 }).format(value);
}

export function isZero(amount: string): boolean {
  return !/[1-9]/.test(amount);
}

/** The change from `before` to `now` in whole percent; null where `before` is zero. */
export function changeInPercent(now: string, before: string): number | null {
  return isZero(before) ? null : Math.round((Number(now) / Number(before) - 1) * 100);
}

/** The sum of two decimal texts, exact. */
export function addDecimals(left: string, right: string): string {
  const [one, other, places] = inUnits(left, right);
  const sum = one + other;
  const sign = sum < 0n ? '-' : '';
  const digits = String(sum < 0n ? -sum : sum).padStart(places + 1, '0');
  return places === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** Whether the first of two decimal texts is more than the second. */
export function isMore(left: string, right: string): boolean {
  const [one, other] = inUnits(left, right);
  return one > other;
}

/** Both texts in the unit of the text with more decimals, and the number of those decimals. */
function inUnits(left: string, right: string): readonly [bigint, bigint, number] {
  const places = Math.max(left.split('.')[1]?.length ?? 0, right.split('.')[1]?.length ?? 0);
  const whole = (text: string) => {
    const [head = '0', tail = ''] = text.split('.');
    return BigInt(head + tail.padEnd(places, '0'));
  };
  return [whole(left), whole(right), places];
}
