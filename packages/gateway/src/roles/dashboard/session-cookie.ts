// The cookies of the dashboard, for this origin alone and never for scripts: a session's token, and one that knows the browser.
import type { FastifyReply, FastifyRequest } from 'fastify';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/** As long as a session can live; the server decides all the same. */
const SESSION_AGE_S = 12 * 60 * 60;
/** As long as browsers keep a cookie at most. */
const DEVICE_AGE_S = 400 * 24 * 60 * 60;

/** `__Host-` binds the cookie to this very host; browsers take the prefix over https alone. */
const isSecure = (url: string) => url.startsWith('https:');
const sessionName = (url: string) => (isSecure(url) ? '__Host-ducat' : 'ducat-session');
const deviceName = (url: string) => (isSecure(url) ? '__Host-ducat-device' : 'ducat-device');

/** The token of a request, null where it has none of our form. */
export function readToken(request: FastifyRequest, url: string): string | null {
  return readCookie(request, sessionName(url));
}

/** Opens nothing: it says whether a sign-in is worth a notice. */
export function readDevice(request: FastifyRequest, url: string): string | null {
  return readCookie(request, deviceName(url));
}

/** Sets the cookie, or with null takes it away. */
export function writeToken(reply: FastifyReply, url: string, token: string | null): void {
  writeCookie(reply, url, `${sessionName(url)}=${token ?? ''}`, token === null ? 0 : SESSION_AGE_S);
}

export function writeDevice(reply: FastifyReply, url: string, token: string): void {
  writeCookie(reply, url, `${deviceName(url)}=${token}`, DEVICE_AGE_S);
}

/** With two cookies of the name none counts. */
function readCookie(request: FastifyRequest, name: string): string | null {
  const values = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim().split('='))
    .filter(([key]) => key === name)
    .map(([, value = '']) => value);
  const [token = ''] = values;
  return values.length === 1 && TOKEN.test(token) ? token : null;
}

function writeCookie(reply: FastifyReply, url: string, pair: string, ageS: number): void {
  const secure = isSecure(url) ? '; Secure' : '';
  reply.header('set-cookie', `${pair}; Path=/; Max-Age=${ageS}; HttpOnly; SameSite=Strict${secure}`);
}
