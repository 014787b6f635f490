// The cookie that carries a session's token: for this origin alone, and never for scripts.
import type { FastifyReply, FastifyRequest } from 'fastify';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/** As long as a session can live; the server decides all the same. */
const MAX_AGE_S = 12 * 60 * 60;

/** `__Host-` binds the cookie to this very host; browsers take the prefix over https alone. */
function nameFor(url: string): string {
  return url.startsWith('https:') ? '__Host-ducat' : 'ducat-session';
}

/** The token of a request, null where it has none of our form; with two cookies of the name none counts. */
export function readToken(request: FastifyRequest, url: string): string | null {
  const name = nameFor(url);
  const values = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim().split('='))
    .filter(([key]) => key === name)
    .map(([, value = '']) => value);
  const [token = ''] = values;
  return values.length === 1 && TOKEN.test(token) ? token : null;
}

/** Sets the cookie, or with null takes it away. */
export function writeToken(reply: FastifyReply, url: string, token: string | null): void {
  const secure = url.startsWith('https:') ? '; Secure' : '';
  const age = token === null ? 0 : MAX_AGE_S;
  reply.header(
    'set-cookie',
    `${nameFor(url)}=${token ?? ''}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Strict${secure}`,
  );
}
