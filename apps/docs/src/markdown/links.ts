// Decides where a link of a Markdown file leads: to a page or file of the site, to the web, or to a file that is left out.
import { posix } from 'node:path';

export type Target =
  /** A page or a file of the site; the fragment has no "#". */
  | { readonly kind: 'site'; readonly path: string; readonly fragment: string }
  /** A file of the repository that the site leaves out. */
  | { readonly kind: 'elsewhere'; readonly source: string }
  | { readonly kind: 'web'; readonly url: string };

/** `pathOf` has the path on the site of each source that the site has. */
export function targetOf(href: string, from: string, pathOf: ReadonlyMap<string, string>): Target {
  if (/^(?:https?|mailto):/.test(href)) return { kind: 'web', url: href };
  const [file = '', fragment = ''] = href.split('#');
  const source = file === '' ? from : posix.join(posix.dirname(from), file).replace(/\/$/, '');
  const path = pathOf.get(source);
  return path === undefined ? { kind: 'elsewhere', source } : { kind: 'site', path, fragment };
}
