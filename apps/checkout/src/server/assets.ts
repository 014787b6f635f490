// The built files of the page, by what they are for.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Where the build puts what browsers load. */
export const assetsFolder = join(
  dirname(createRequire(import.meta.url).resolve('@ducat/checkout/package.json')),
  'dist/client/',
);

interface Built {
  readonly file: string;
  readonly assets?: readonly string[];
}

export interface Assets {
  readonly script: string;
  readonly style: string;
  readonly fonts: readonly string[];
}

/** The font subset with the letters of a language, beside the subset that all pages need. */
const subsets: Readonly<Record<string, string>> = {
  pl: 'latin-ext',
  cs: 'latin-ext',
  ro: 'latin-ext',
  tr: 'latin-ext',
  el: 'greek',
  ru: 'cyrillic',
  uk: 'cyrillic',
  vi: 'vietnamese',
};

/** The fonts of the first view of a page in this language. A font that arrives late is not used for that view. */
export function fontsOf({ fonts }: Assets, language: string): readonly string[] {
  const wanted = ['latin', subsets[language]];
  return fonts.filter((file) => wanted.some((subset) => file.includes(`inter-${subset}-wght`)));
}

/** Null where the page was not built. The page then has no style, and works as it does without scripts. */
export function readAssets(): Assets | null {
  try {
    // The bundler writes the manifest. The type describes the parts that are read here.
    const manifest = JSON.parse(readFileSync(`${assetsFolder}manifest.json`, 'utf8')) as Record<
      string,
      Built
    >;
    const [script, style] = [manifest['src/client/main.tsx'], manifest['src/style/checkout.css']];
    if (script === undefined || style === undefined) return null;
    return { script: script.file, style: style.file, fonts: style.assets ?? [] };
  } catch {
    return null;
  }
}
