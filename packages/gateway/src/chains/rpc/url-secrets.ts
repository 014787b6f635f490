// Splits an RPC URL into what is sent and what may be shown, because keys in it must never reach a log.
import { Outage } from '../../runtime/outage.ts';

export interface SplitUrl {
  /** The URL without user and password, which fetch refuses. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The host of the provider, without anything secret. */
  readonly host: string;
  /** Replaces every secret of the URL in a text, removes control characters and bounds the length. */
  readonly mask: (text: string) => string;
}

const maxTextLength = 200;
// Shorter parts are names like `v3` or `rpc`, and masking them would garble every message.
const shortestSecret = 5;

/** Throws Outage, not retryable, where the text is not an http(s) URL; the text itself is never quoted. */
export function splitUrl(text: string): SplitUrl {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new Outage('an RPC address is not an http or https URL', { retryable: false });
  }
  const user = decoded(url.username);
  const password = decoded(url.password);
  url.username = '';
  url.password = '';
  const secrets = [text, url.href, user, password, ...url.searchParams.values(), ...url.pathname.split('/')]
    .filter((secret) => secret.length >= shortestSecret)
    .sort((a, b) => b.length - a.length);
  const credentials = Buffer.from(`${user}:${password}`).toString('base64');
  return {
    url: url.href,
    headers: user === '' && password === '' ? {} : { authorization: `Basic ${credentials}` },
    host: url.host,
    mask: (message) =>
      printable(secrets.reduce((masked, secret) => masked.replaceAll(secret, '***'), message)),
  };
}

/** A part of a URL without percent escapes; broken escapes stay as they are. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function printable(text: string): string {
  return text.slice(0, maxTextLength).replace(/\p{Cc}/gu, ' ');
}
