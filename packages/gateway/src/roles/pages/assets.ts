// Serves the built scripts, styles and fonts of the page.
import type { FastifyInstance } from 'fastify';
import { readBuiltFiles } from '../../http/built-files.ts';

const YEAR_S = 365 * 24 * 60 * 60;
/** The script that merchants' pages load. Its name never changes, so browsers keep it for an hour only. */
const EMBEDDED = 'ducat.js';
const HOUR_S = 60 * 60;

/**
 * All other names carry a hash of the content, so browsers keep those files. There are no files where the page was not
 * built.
 */
export function mountAssets(app: FastifyInstance, base: string, folder: string): void {
  const assets = readBuiltFiles(folder);
  app.get<{ Params: { file: string } }>(`${base}/assets/:file`, (request, reply) => {
    const asset = assets.get(request.params.file);
    if (asset === undefined) return reply.callNotFound();
    const isEmbedded = request.params.file === EMBEDDED;
    return asset.send(request, reply, {
      'cache-control': isEmbedded ? `public, max-age=${HOUR_S}` : `public, max-age=${YEAR_S}, immutable`,
      'cross-origin-resource-policy': isEmbedded ? 'cross-origin' : 'same-origin',
    });
  });
}
