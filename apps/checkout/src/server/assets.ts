// The built files of the page, by what they are for.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where the build puts what browsers load. */
export const assetsFolder = fileURLToPath(new URL('../client/', import.meta.url));

interface Built {
  readonly file: string;
  readonly assets?: readonly string[];
}

export interface Assets {
  readonly script: string;
  readonly style: string;
  /** The first of them is what nearly every page is written in. */
  readonly fonts: readonly string[];
}

/** Null where the page was not built: it then works as it does where scripts are off, without its style. */
export function readAssets(): Assets | null {
  try {
    // The bundler writes it; what is read of it is described by the type.
    const manifest = JSON.parse(readFileSync(`${assetsFolder}manifest.json`, 'utf8')) as Record<
      string,
      Built
    >;
    const [script, style] = [manifest['src/client/main.tsx'], manifest['src/style/checkout.css']];
    if (script === undefined || style === undefined) return null;
    const fonts = (style.assets ?? []).filter((file) => file.includes('inter-latin-wght'));
    return { script: script.file, style: style.file, fonts };
  } catch {
    return null;
  }
}
