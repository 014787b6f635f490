// The pictures of a page: logos of currencies, the merchant's logo, and the merchant's colour as a style sheet.
import type { FastifyInstance } from 'fastify';
import { readLogo } from '../../db/tables/checkout-pages.ts';
import { accentStyle } from './accent.ts';
import { pictureType } from '../../http/picture-type.ts';
import type { PagesDeps } from './port.ts';

const CURRENCY_LOGO = /^([1-9][0-9]{0,9})\.svg$/;
const ACCENT = /^([0-9a-f]{6})\.css$/;
const DIGEST = /^[0-9a-f]{64}$/;
const WEEK_S = 7 * 24 * 60 * 60;

/** Each picture has an address of its own, so that the page holds nothing inline. */
export function mountPictures(app: FastifyInstance, base: string, deps: PagesDeps): void {
  type Named = { Params: { file: string } };
  app.get<Named>(`${base}/logos/:file`, (request, reply) => {
    const [, digits] = CURRENCY_LOGO.exec(request.params.file) ?? [];
    const svg = digits === undefined ? null : deps.logo(Number(digits));
    if (svg === null) return reply.callNotFound();
    reply.headers({
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': `public, max-age=${WEEK_S}`,
    });
    return reply.type('image/svg+xml').send(svg);
  });
  app.get<Named>(`${base}/accent/:file`, (request, reply) => {
    const [, digits] = ACCENT.exec(request.params.file) ?? [];
    if (digits === undefined) return reply.callNotFound();
    reply.header('cache-control', `public, max-age=${WEEK_S}`);
    return reply.type('text/css; charset=utf-8').send(accentStyle(`#${digits}`));
  });
  app.get<{ Params: { digest: string } }>(`${base}/logo/:digest`, async (request, reply) => {
    const { digest } = request.params;
    const bytes = DIGEST.test(digest) ? await readLogo(deps.reader, digest) : null;
    const type = bytes === null ? null : pictureType(bytes);
    if (bytes === null || type === null) return reply.callNotFound();
    reply.headers({
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': `public, max-age=${WEEK_S}, immutable`,
    });
    return reply.type(type).send(Buffer.from(bytes));
  });
}
