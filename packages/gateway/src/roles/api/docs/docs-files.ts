// The built docs site: a fixed set of files, read when the first of them is asked for.
import { type BuiltFile, builtFolder, readBuiltFiles } from '../../../http/built-files.ts';
import { escapeHtml } from './escape-html.ts';

/** Values that were unknown when the pages were built, and that the gateway writes into every page. */
export interface DocsPlace {
  /** Where apps/docs is built. */
  readonly folder: string;
  /** Where merchants reach the API, without a slash at the end. */
  readonly publicUrl: string;
  /** The faucet of a demo, which lends readers the app of the demo; "" where there is no demo. */
  readonly faucetUrl: string;
}

/** Where apps/docs is built; without it the API is served alone. */
export const builtDocs = builtFolder('docs/dist/public');

/** Finds a page by its address below /docs, "" for the first, and any other file by its name. */
export function createDocsFiles(place: DocsPlace): (path: string) => BuiltFile | undefined {
  let files: ReadonlyMap<string, BuiltFile> | null = null;
  return (path) => {
    files ??= readBuiltFiles(place.folder, (name, read) =>
      name.endsWith('.html') ? Buffer.from(placed(read.toString('utf8'), place)) : read,
    );
    return files.get(path === '' ? 'index.html' : `${path}.html`) ?? files.get(path);
  };
}

/** The API address for which the pages are built; it is replaced in each page. */
const EXAMPLE = new URL('https://api.example');

function placed(page: string, { publicUrl, faucetUrl }: DocsPlace): string {
  return page
    .replaceAll(EXAMPLE.origin, escapeHtml(publicUrl))
    .replaceAll(EXAMPLE.host, escapeHtml(new URL(publicUrl).host))
    .replace('data-faucet=""', `data-faucet="${escapeHtml(faucetUrl)}"`);
}
