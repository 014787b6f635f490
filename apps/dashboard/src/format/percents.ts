// Shares in parts per million as people write them: in percent.

/** 2500 is "0.25%". */
export function percentText(ppm: number): string {
  return `${percentDigits(ppm)}%`;
}

/** The same without the sign, as it stands in a field. */
export function percentDigits(ppm: number): string {
  const fraction = String(ppm % 10_000)
    .padStart(4, '0')
    .replace(/0+$/, '');
  return `${Math.floor(ppm / 10_000)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Null where the text is no percentage below 100 with at most four decimals. */
export function ppmOf(text: string): number | null {
  const [, whole, fraction = ''] = /^(\d{1,2})(?:[.,](\d{1,4}))?$/.exec(text.trim()) ?? [];
  return whole === undefined ? null : Number(whole) * 10_000 + Number(fraction.padEnd(4, '0'));
}
