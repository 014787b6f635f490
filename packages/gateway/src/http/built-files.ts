// Files that were built for browsers: read once, and sent compressed to browsers that accept it.
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { packageFolder } from '../runtime/package-folder.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.webp': 'image/webp',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
};
/** The build's list of its files for other programs. No browser asks for it. */
const BUILD_MANIFEST = 'manifest.json';
const TEXT = /^text|json|svg/;
/** Files are a few percent larger than at the best quality, and take a tenth of the time. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
const compress = promisify(brotliCompress);

/** Where an app of this repository is built. `path` is below `apps`. */
export function builtFolder(path: string): string {
  return fileURLToPath(new URL(`../../apps/${path}`, packageFolder));
}

export class BuiltFile {
  readonly type: string;
  readonly bytes: Buffer;
  /** Compressed for the first browser that asks, because compressing at the start would delay the start of a gateway. */
  #brotli: Promise<Buffer> | null = null;

  constructor(type: string, bytes: Buffer) {
    this.type = type;
    this.bytes = bytes;
  }

  async send(
    { headers: { 'accept-encoding': accepted = '' } }: FastifyRequest,
    reply: FastifyReply,
    headers: Readonly<Record<string, string>>,
  ): Promise<FastifyReply> {
    reply.headers({ 'content-type': this.type, vary: 'accept-encoding', ...headers });
    if (!TEXT.test(this.type) || !/\bbr\b/.test(accepted)) return reply.send(this.bytes);
    this.#brotli ??= compress(this.bytes, { params });
    return reply.header('content-encoding', 'br').send(await this.#brotli);
  }
}

/**
 * Files by their paths below the folder, with slashes; empty where nothing was built. `placed` may change a file's bytes.
 */
export function readBuiltFiles(
  folder: string,
  placed: (name: string, bytes: Buffer) => Buffer = (_, bytes) => bytes,
): ReadonlyMap<string, BuiltFile> {
  const files = new Map<string, BuiltFile>();
  for (const name of namesIn(folder)) {
    const type = TYPES[extname(name)];
    if (type === undefined || name === BUILD_MANIFEST) continue;
    const bytes = placed(name, readFileSync(join(folder, name)));
    files.set(name.replaceAll('\\', '/'), new BuiltFile(type, bytes));
  }
  return files;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch {
    return [];
  }
}
