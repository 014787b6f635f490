// Checks URLs of the configuration. Messages name the entry and never the URL, because a URL may hold a key.
import { ConfigError } from './config-error.ts';

/** An http or https address that is safe to publish, without a slash at its end. Throws ConfigError. */
export function publicWebUrl(entry: string, text: string): string {
  const url = webUrl(entry, text);
  // The parser drops an empty query or fragment, but paths that are appended to the text would become part of it.
  if (url.username !== '' || url.password !== '' || /[?#]/.test(text)) {
    throw new ConfigError(`${entry}: is shown to everybody, so no password, "?" or "#" may be in it`);
  }
  return text.replace(/\/+$/, '');
}

/**
 * The http or https addresses of nodes. The same node in two spellings is refused, because it would count as two providers
 * that agree. Throws ConfigError.
 */
export function nodeUrls(entry: string, texts: readonly string[]): readonly string[] {
  const places = new Map<string, number>();
  for (const [place, text] of texts.entries()) {
    const { hostname, port, pathname, search } = webUrl(`${entry}[${place}]`, text);
    const node = `${hostOf(hostname)}:${port}${pathname.replace(/\/+$/, '')}${search}`;
    const before = places.get(node);
    if (before !== undefined) {
      throw new ConfigError(
        `${entry}[${place}]: is the same node as ${entry}[${before}]; two have to be two different ones`,
      );
    }
    places.set(node, place);
  }
  return texts;
}

/** One name for each host: without the dot of the root, and `localhost` for every loopback address. */
function hostOf(hostname: string): string {
  const host = hostname.replace(/\.$/, '');
  // The URL parser has normalised IP addresses already.
  const isLoopback =
    /^(?:(?:.*\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/;
  return isLoopback.test(host) ? 'localhost' : host;
}

function webUrl(entry: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  // The parser accepts "http:host" and white space. The text that is shown and used must be what the operator wrote.
  if (url === null || !/^https?:\/\/[^\s/]/i.test(text) || /\s/.test(text)) {
    throw new ConfigError(`${entry}: must be an address that begins with http:// or https://`);
  }
  return url;
}
