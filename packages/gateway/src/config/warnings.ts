// What is allowed in a configuration and nevertheless worth a line in the log at every start.
import { isWide } from './address-ranges.ts';
import type { Config } from './load-config.ts';

/** One sentence for each, naming the entry. */
export function configWarnings(config: Config): readonly string[] {
  const wide = (entry: string, ranges: readonly string[]) =>
    ranges.filter(isWide).map((range) => `${entry}: ${range} guards nothing; the demo alone takes it`);
  const unpinned = config.signer !== null && config.signer.keyId === null && !config.demo;
  return [
    ...wide('webhooks.allowed_private_ranges', config.webhooks.allowedPrivateRanges),
    ...wide('api.trusted_proxies', config.api.trustedProxies),
    ...config.chains.flatMap(({ warnings }) => warnings),
    ...(unpinned ? ['signer.key_id: is not stated, so a signer with another seed would be believed'] : []),
  ];
}
