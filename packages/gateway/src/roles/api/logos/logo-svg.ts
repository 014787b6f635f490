// The logo of a currency: its symbol on a disc, in a colour of its own, inside a ring in the colour of its chain.
import { createHash } from 'node:crypto';
import { escapeHtml } from '../docs/escape-html.ts';

/** Longer symbols are cut: at the size of an icon nobody could read them. */
const MAX_LETTERS = 8;
/** Up to so many letters are on one line; more are broken into two lines. */
const ONE_LINE = 4;
/** Font size in a box of 64, by the letters of the longer line. */
const FONT_SIZES: Readonly<Record<number, number>> = { 1: 34, 2: 28, 3: 21, 4: 17 };

/** Characters that XML cannot contain. */
const NO_XML = /[\p{Cc}\p{Cs}\u{FFFE}\u{FFFF}]/gu;

/** A drawing of our own, not the issuer's artwork. Equal arguments give equal bytes. */
export function logoSvg(name: string, chain: string): string {
  const symbol = name.replace(NO_XML, '\u{FFFD}');
  const lines = linesOf(Array.from(symbol).slice(0, MAX_LETTERS));
  const size = FONT_SIZES[Math.max(...lines.map((line) => line.length))] ?? 17;
  const top = 32 + size * 0.36 - ((lines.length - 1) * size) / 2;
  const texts = lines.map(
    (line, row) => `<text x="32" y="${(top + row * size).toFixed(1)}">${escapeHtml(line)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64" role="img"><title>${escapeHtml(symbol)} on ${escapeHtml(chain)}</title><circle cx="32" cy="32" r="32" fill="${colourOf(chain, 0.72)}"/><circle cx="32" cy="32" r="28" fill="${colourOf(symbol, 0.36)}"/><g fill="#fff" font-family="Arial, Helvetica, sans-serif" font-weight="bold" font-size="${size}" text-anchor="middle">${texts.join('')}</g></svg>`;
}

function linesOf(letters: readonly string[]): readonly string[] {
  if (letters.length <= ONE_LINE) return [letters.join('')];
  const half = Math.ceil(letters.length / 2);
  return [letters.slice(0, half).join(''), letters.slice(half).join('')];
}

/** A hue by the text's hash; `lightness` from 0 to 1 decides whether white can be read on it. */
function colourOf(text: string, lightness: number): string {
  const hue = createHash('sha256').update(text).digest().readUInt16BE(0) % 360;
  const spread = 0.6 * Math.min(lightness, 1 - lightness);
  const channel = (offset: number) => {
    const k = (offset + hue / 30) % 12;
    const value = lightness - spread * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return Math.round(255 * value)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${channel(0)}${channel(8)}${channel(4)}`;
}
