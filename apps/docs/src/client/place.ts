// What a page knows of where it is served; the gateway writes it into the document.

const { dataset } = document.documentElement;

/** The address of the API that samples call, without a slash at the end. */
export const apiUrl = dataset['api'] ?? '';

/** The faucet of a demo, which also lends the demo's app; "" anywhere else. */
export const faucetUrl = dataset['faucet'] ?? '';

/** A page or file below /docs. */
export function docsAddress(path: string): URL {
  // The first page is /docs itself, and everything else lies below it.
  const root = new URL(dataset['root'] ?? './', location.href);
  return path === '' ? new URL('../docs', root) : new URL(path, root);
}

/** An operation at the gateway that serves this page. */
export function operationAddress(path: string): URL {
  return new URL(`..${path}`, docsAddress('./'));
}
