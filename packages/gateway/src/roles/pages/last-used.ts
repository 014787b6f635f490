// The currency that a browser chose last, in a cookie, so that the server can sort the list before any script runs.
import type { FastifyReply, FastifyRequest } from 'fastify';

const NAME = 'ducat-currency';
const MAX_AGE_S = 365 * 24 * 60 * 60;

/** 0 for none. It decides the order of a list, and nothing else. */
export function readLastUsed(request: FastifyRequest): number {
  const [, id = '0'] =
    /(?:^|;\s*)ducat-currency=([1-9][0-9]{0,9})(?:;|$)/.exec(request.headers.cookie ?? '') ?? [];
  return Number(id);
}

/** `checkoutUrl` is where payers reach the pages. Browsers send the cookie only to its path. */
export function writeLastUsed(reply: FastifyReply, checkoutUrl: string, currencyId: number): void {
  const { protocol, pathname } = new URL(checkoutUrl);
  const secure = protocol === 'https:' ? '; Secure' : '';
  reply.header(
    'set-cookie',
    `${NAME}=${currencyId}; Path=${pathname}; Max-Age=${MAX_AGE_S}; HttpOnly; SameSite=Lax${secure}`,
  );
}
