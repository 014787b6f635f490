// Serves the built dashboard: a fixed set of files, read once, and its page for every other address.
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webmanifest': 'application/manifest+json',
};
const YEAR_S = 365 * 24 * 60 * 60;
const NOT_BUILT = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Ducat</title>
<h1>The dashboard is not built</h1>
<p>Its API answers. Its pages are built by <code>npm run build</code>.</p></html>`;

/** Where apps/dashboard is built; without it the API is served alone. */
export const builtFiles = join(import.meta.dirname, '../../../../../apps/dashboard/dist/client');

interface File {
  readonly type: string;
  readonly bytes: Buffer;
  /** Null where it is compressed already. */
  readonly brotli: Buffer | null;
}

/** Names below /assets carry a hash of what they hold, so that browsers keep them. */
export function mountStaticFiles(app: FastifyInstance, folder: string): void {
  const files = new Map([...readFiles(folder, ''), ...readFiles(folder, 'assets/')]);
  const page = readPage(folder);
  app.get('/*', (request, reply) => {
    const [path = ''] = request.url.slice(1).split('?');
    if (path.startsWith('api/')) return reply.callNotFound();
    const file = files.get(path);
    if (file !== undefined) return sendFile(request, reply, file, path.startsWith('assets/'));
    // An old page asks for files that a newer build does not have; another page is no answer to that.
    if (extname(path) !== '') return reply.callNotFound();
    return reply.type('text/html; charset=utf-8').send(page);
  });
}

function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, bytes, brotli }: File,
  isHashed: boolean,
): FastifyReply {
  const isPlain = brotli === null || !/\bbr\b/.test(request.headers['accept-encoding'] ?? '');
  reply.headers({
    'content-type': type,
    'cache-control': isHashed ? `public, max-age=${YEAR_S}, immutable` : 'no-cache',
    vary: 'accept-encoding',
    ...(isPlain ? {} : { 'content-encoding': 'br' }),
  });
  return reply.send(isPlain ? bytes : brotli);
}

function readFiles(folder: string, below: string): readonly (readonly [string, File])[] {
  return namesIn(join(folder, below))
    .filter((name) => extname(name) in TYPES)
    .map((name) => {
      const bytes = readFileSync(join(folder, below, name));
      const type = TYPES[extname(name)] ?? '';
      const isText = type.startsWith('text/') || type === 'image/svg+xml';
      return [`${below}${name}`, { type, bytes, brotli: isText ? brotliCompressSync(bytes) : null }] as const;
    });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readPage(folder: string): string {
  try {
    return readFileSync(join(folder, 'index.html'), 'utf8');
  } catch {
    return NOT_BUILT;
  }
}
