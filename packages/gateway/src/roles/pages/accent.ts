// The merchant's colour as a style sheet, with an ink that can be read on it.

const LIGHT_INK = '#ffffff';
/** Black, because either black or white always has the contrast that WCAG requires of text. */
const DARK_INK = '#000000';
/** The surfaces of the page, light and dark, as in its tokens. */
const SURFACES = { light: '#ffffff', dark: '#141922' } as const;
/** The contrast that WCAG requires of the edge of a control. */
const MIN_EDGE = 3;

/** Only the primary button has the accent. The button gets an edge where it would not stand out from the surface. */
export function accentStyle(accent: string): string {
  const ink = contrast(accent, LIGHT_INK) >= 4.5 ? LIGHT_INK : DARK_INK;
  const edge = (surface: string) => (contrast(accent, surface) < MIN_EDGE ? 'var(--control)' : 'transparent');
  const rule = (surface: string) =>
    `:root{--accent:${accent};--on-accent:${ink};--accent-edge:${edge(surface)}}`;
  return `${rule(SURFACES.light)}@media (prefers-color-scheme:dark){${rule(SURFACES.dark)}}`;
}

/** The contrast of two colours such as "#2a4fc4", by WCAG 2: from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = channels.map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
