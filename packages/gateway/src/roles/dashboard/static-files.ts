// Serves the built dashboard: its files, and its page for every other address.
import { extname } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { builtFolder, readBuiltFiles } from '../../http/built-files.ts';

const YEAR_S = 365 * 24 * 60 * 60;
const PAGE = 'index.html';
const NOT_BUILT = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Ducat</title>
<h1>The dashboard is not built</h1>
<p>Its API answers. Its pages are built by <code>npm run build</code>.</p></html>`;

/** Where apps/dashboard is built; without it the API is served alone. */
export const builtFiles = builtFolder('dashboard/dist/client');

/** Names below /assets carry a hash of what they hold, so that browsers keep them. */
export function mountStaticFiles(app: FastifyInstance, folder: string): void {
  const files = readBuiltFiles(folder);
  const page = files.get(PAGE)?.bytes ?? NOT_BUILT;
  app.get('/*', (request, reply) => {
    const [path = ''] = request.url.slice(1).split('?');
    if (path.startsWith('api/')) return reply.callNotFound();
    const file = path === PAGE ? undefined : files.get(path);
    if (file !== undefined) {
      const isHashed = path.startsWith('assets/');
      const kept = isHashed ? `public, max-age=${YEAR_S}, immutable` : 'no-cache';
      return file.send(request, reply, { 'cache-control': kept });
    }
    // A page of an older build may ask for a file that this build does not have. The HTML page would be a wrong answer.
    if (extname(path) !== '') return reply.callNotFound();
    return reply.type('text/html; charset=utf-8').send(page);
  });
}
