// Serves the logo of each currency at an address that never changes: /logos/<currency_id>.svg.
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Catalogue } from '../catalogue.ts';
import { logoSvg } from './logo-svg.ts';

const FILE = /^([1-9][0-9]{0,9})\.svg$/;
const WEEK_S = 7 * 24 * 60 * 60;

/** The absolute address of a currency's logo, for a gateway that the world reaches at `publicUrl`. */
export function logoUrl(publicUrl: string, currencyId: number): string {
  return `${publicUrl}/logos/${currencyId}.svg`;
}

/** Adds the logos of all known currencies, on or off: orders in a currency that went off are still shown. */
export function mountLogos(app: FastifyInstance, catalogue: Catalogue): void {
  app.get<{ Params: { file: string } }>('/logos/:file', { exposeHeadRoute: true }, (request, reply) => {
    const [, digits] = FILE.exec(request.params.file) ?? [];
    const listing = digits === undefined ? null : catalogue.find(Number(digits));
    if (listing === null) return reply.callNotFound();
    const logo = logoSvg(listing.currency.symbol, listing.chain.name);
    const etag = `"${createHash('sha256').update(logo).digest('hex').slice(0, 32)}"`;
    reply.headers({
      etag,
      // Opened by itself an image is a page of this host: it may load nothing and run nothing.
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': `public, max-age=${WEEK_S}`,
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
    if (isHeld(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type('image/svg+xml').send(logo);
  });
}

/** Whether one of the client's tags is this one; weak or strong makes no difference to a GET. */
function isHeld(held: string | undefined, etag: string): boolean {
  const tags = (held ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
