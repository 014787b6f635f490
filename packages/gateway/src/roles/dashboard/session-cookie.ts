// The cookies of the dashboard, for this origin alone and never for scripts: the session's token and the device's token.
import type { FastifyReply, FastifyRequest } from 'fastify';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/** The longest life of a session. The server checks the expiry itself. */
const SESSION_AGE_S = 12 * 60 * 60;
/** The longest time that browsers keep a cookie. */
const DEVICE_AGE_S = 400 * 24 * 60 * 60;

/** `__Host-` binds the cookie to this very host; browsers take the prefix over https alone. */
const isSecure = (url: string) => url.startsWith('https:');
const sessionName = (url: string) => (isSecure(url) ? '__Host-ducat' : 'ducat-session');
const deviceName = (url: string) => (isSecure(url) ? '__Host-ducat-device' : 'ducat-device');

/** The token of a request, null where it has none of our form. */
export function readToken(request: FastifyRequest, url: string): string | null {
  return readCookie(request, sessionName(url));
}

/** The token of a known device. It grants no access; it decides whether a sign-in is worth a notice. */
export function readDevice(request: FastifyRequest, url: string): string | null {
  return readCookie(request, deviceName(url));
}

/** Sets the session's cookie; null removes it. */
export function writeToken(reply: FastifyReply, url: string, token: string | null): void {
  writeCookie(reply, url, `${sessionName(url)}=${token ?? ''}`, token === null ? 0 : SESSION_AGE_S);
}

export function writeDevice(reply: FastifyReply, url: string, token: string): void {
  writeCookie(reply, url, `${deviceName(url)}=${token}`, DEVICE_AGE_S);
}

/** Null where two cookies have this name. */
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
