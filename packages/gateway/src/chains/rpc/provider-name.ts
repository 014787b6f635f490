// Names of providers for logs and metrics: never their URLs, which may carry keys.
import { splitUrl } from './url-secrets.ts';

/** Host names, numbered where two are the same. Throws Outage, not retryable, where a text is no URL. */
export function providerNames(urls: readonly string[]): readonly string[] {
  const hosts = urls.map((url) => splitUrl(url).host);
  return hosts.map((host, index) =>
    hosts.indexOf(host) === hosts.lastIndexOf(host) ? host : `${host}#${index + 1}`,
  );
}
