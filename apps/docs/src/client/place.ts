// Addresses that depend on where a page is served. The gateway writes them into the document.

const { dataset } = document.documentElement;

/** The address of the API that samples call, without a slash at the end. */
export const apiUrl = dataset['api'] ?? '';

/** The faucet of a demo, which also lends the demo's app; "" anywhere else. */
export const faucetUrl = dataset['faucet'] ?? '';

/** A page or file below /docs. */
export function docsAddress(path: string): URL {
  // The first page is /docs itself, and every other page is below it.
  const root = new URL(dataset['root'] ?? './', location.href);
  return path === '' ? new URL('../docs', root) : new URL(path, root);
}

/** The address of an operation at the gateway that serves this page. */
export function operationAddress(path: string): URL {
  return new URL(`..${path}`, docsAddress('./'));
}
