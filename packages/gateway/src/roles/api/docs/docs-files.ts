// The built docs site: a fixed set of files, read when the first of them is asked for.
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { escapeHtml } from './escape-html.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.woff2': 'font/woff2',
  '.webp': 'image/webp',
  '.png': 'image/png',
};
/** Good enough, and a millisecond for a page. */
const QUALITY = 5;

/** What the gateway writes into every page, which was built without knowing it. */
export interface DocsPlace {
  /** Where apps/docs is built. */
  readonly folder: string;
  /** Where merchants reach the API, without a slash at the end. */
  readonly publicUrl: string;
  /** The faucet of a demo, which lends readers the demo's app; "" anywhere else. */
  readonly faucetUrl: string;
}

export interface DocsFile {
  readonly type: string;
  readonly bytes: Buffer;
  /** Null where it is compressed already. */
  brotli(): Buffer | null;
}

/** Where apps/docs is built; without it the API is served alone. */
export const builtDocs = join(import.meta.dirname, '../../../../../../apps/docs/dist/public');

/** Finds a page by its address below /docs, "" for the first, and any other file by its name. */
export function createDocsFiles(place: DocsPlace): (path: string) => DocsFile | undefined {
  let files: ReadonlyMap<string, DocsFile> | null = null;
  return (path) => {
    files ??= readAll(place);
    return files.get(path === '' ? 'index.html' : `${path}.html`) ?? files.get(path);
  };
}

function readAll(place: DocsPlace): ReadonlyMap<string, DocsFile> {
  const files = namesIn(place.folder).filter((name) => extname(name) in TYPES);
  return new Map(files.map((name) => [name, fileOf(name, readFileSync(join(place.folder, name)), place)]));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
      name.replaceAll('\\', '/'),
    );
  } catch {
    return [];
  }
}

function fileOf(name: string, read: Buffer, place: DocsPlace): DocsFile {
  const type = TYPES[extname(name)] ?? '';
  const bytes = extname(name) === '.html' ? Buffer.from(placed(read.toString('utf8'), place)) : read;
  let small: Buffer | null = null;
  const isText = /^text|json/.test(type);
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY };
  return { type, bytes, brotli: () => (isText ? (small ??= brotliCompressSync(bytes, { params })) : null) };
}

/** Pages are built for this address of an API. */
const EXAMPLE = new URL('https://api.example');

function placed(page: string, { publicUrl, faucetUrl }: DocsPlace): string {
  return page
    .replaceAll(EXAMPLE.origin, escapeHtml(publicUrl))
    .replaceAll(EXAMPLE.host, escapeHtml(new URL(publicUrl).host))
    .replace('data-faucet=""', `data-faucet="${escapeHtml(faucetUrl)}"`);
}
