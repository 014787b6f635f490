// Addresses of the web in the configuration. Messages name the entry, never the address, which may hold a key.
import { ConfigError } from './config-error.ts';

/** An http or https address that is safe to publish, without a slash at its end. Throws ConfigError. */
export function publicWebUrl(entry: string, text: string): string {
  const url = webUrl(entry, text);
  // An empty query or fragment is none to the parser, and yet takes in whatever is put behind it.
  if (url.username !== '' || url.password !== '' || /[?#]/.test(text)) {
    throw new ConfigError(`${entry}: is shown to everybody, so no password, "?" or "#" may be in it`);
  }
  return text.replace(/\/+$/, '');
}

/**
 * Addresses of nodes, each an http or https one. The same node under two spellings is refused, since it would count
 * as two that agree. Throws ConfigError.
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

/** One name for the machine: the root's dot is no part of it, and a node is mostly on all loopback addresses. */
function hostOf(hostname: string): string {
  const host = hostname.replace(/\.$/, '');
  // The parser has brought addresses into one form before.
  const isLoopback =
    /^(?:(?:.*\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/;
  return isLoopback.test(host) ? 'localhost' : host;
}

function webUrl(entry: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  // The parser forgives "http:host" and white space; what is shown and dialled has to be what was written.
  if (url === null || !/^https?:\/\/[^\s/]/i.test(text) || /\s/.test(text)) {
    throw new ConfigError(`${entry}: must be an address that begins with http:// or https://`);
  }
  return url;
}
