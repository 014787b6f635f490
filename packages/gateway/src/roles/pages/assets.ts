// Serves the built scripts, styles and fonts of the page: a fixed set of files, read once.
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
};
const YEAR_S = 365 * 24 * 60 * 60;
/** What merchants' pages load: under one name for ever, so it is asked for again. */
const EMBEDDED = 'ducat.js';
const HOUR_S = 60 * 60;

interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  /** Null where it is compressed already. */
  readonly brotli: Buffer | null;
}

/** Names carry a hash of what they hold, so that browsers keep them; empty where the page was not built. */
export function mountAssets(app: FastifyInstance, base: string, folder: string): void {
  const assets = readAssets(folder);
  app.get<{ Params: { file: string } }>(`${base}/assets/:file`, (request, reply) => {
    const asset = assets.get(request.params.file);
    if (asset === undefined) return reply.callNotFound();
    const isEmbedded = request.params.file === EMBEDDED;
    const isPlain = asset.brotli === null || !/\bbr\b/.test(request.headers['accept-encoding'] ?? '');
    reply.headers({
      'content-type': asset.type,
      'cache-control': isEmbedded ? `public, max-age=${HOUR_S}` : `public, max-age=${YEAR_S}, immutable`,
      vary: 'accept-encoding',
      'cross-origin-resource-policy': isEmbedded ? 'cross-origin' : 'same-origin',
      ...(isPlain ? {} : { 'content-encoding': 'br' }),
    });
    return reply.send(isPlain ? asset.bytes : asset.brotli);
  });
}

function readAssets(folder: string): ReadonlyMap<string, Asset> {
  const files = readNames(folder).filter((name) => extname(name) in TYPES);
  return new Map(
    files.map((name) => {
      const bytes = readFileSync(join(folder, name));
      const type = TYPES[extname(name)] ?? '';
      return [name, { type, bytes, brotli: type.startsWith('text/') ? brotliCompressSync(bytes) : null }];
    }),
  );
}

function readNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
