// Addresses of pages and files, always relative, because a proxy may serve the gateway below any path.

/** The address of /docs/ as seen from a page, with a slash at the end. */
export function rootOf(from: string): string {
  if (from === '') return 'docs/';
  return '../'.repeat(from.split('/').length - 1) || './';
}

/** The address of a page or a file below /docs as seen from a page. */
export function hrefOf(from: string, to: string): string {
  if (to !== '') return `${rootOf(from)}${to}`;
  return from === '' ? 'docs' : `${rootOf(from)}../docs`;
}

/** The address of a file that the API itself serves, such as openapi.json, as seen from a page. */
export function apiHrefOf(from: string, to: string): string {
  return from === '' ? to : `${rootOf(from)}../${to}`;
}
