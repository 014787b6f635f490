// Warnings about allowed but weak entries of a configuration, logged at every start.
import { chainDefinitions } from '@ducat/core/chain/definitions/index';
import { defaultQuorum } from '@ducat/core/chain/quorum';
import { VALUE_DECIMALS } from '@ducat/core/collection/policy';
import { formatDecimal } from '@ducat/core/money/decimal';
import { isWide } from './address-ranges.ts';
import type { ConfiguredChain } from './chains.ts';
import type { Config } from './load-config.ts';
import { ratesWarnings } from './rates.ts';

/** One sentence for each, naming the entry. */
export function configWarnings(config: Config): readonly string[] {
  const wide = (entry: string, ranges: readonly string[]) =>
    ranges.filter(isWide).map((range) => `${entry}: ${range} guards nothing; the demo alone takes it`);
  return [
    ...wide('webhooks.allowed_private_ranges', config.webhooks.allowedPrivateRanges),
    ...wide('api.trusted_proxies', config.api.trustedProxies),
    ...(config.demo ? [] : config.chains.flatMap(otherChain)),
    ...(config.demo ? [] : config.chains.flatMap(fewProviders)),
    ...config.chains.flatMap(({ warnings }) => warnings),
    ...(config.demo ? [] : ofTheExample(config)),
    ...(config.roles.includes('dashboard') && !config.demo && config.dashboard.url.startsWith('http:')
      ? ['dashboard.url: is not https, so passwords and sessions can be read on the way']
      : []),
    ...(config.demo ? [] : ofStrangers(config.dashboard)),
    ...ratesWarnings(config.rates),
    ...(config.demo || config.signer === null ? [] : ofTheKeyId(config.signer.keyId)),
  ];
}

/** The entry of the example file. No seed that was made by chance has it. */
const EXAMPLE_KEY_ID = '0011223344556677';

function ofTheKeyId(keyId: string | null): readonly string[] {
  if (keyId === null)
    return ['signer.key_id: is not stated, so a signer with another seed would be believed'];
  if (keyId !== EXAMPLE_KEY_ID) return [];
  return ['signer.key_id: is the one of the example, put there what "ducat-signer create" printed'];
}

/** No real host ends in `.example`: the address was copied from the example file, and nothing answers there. */
function ofTheExample({ roles, api, dashboard, chains }: Config): readonly string[] {
  const places: readonly (readonly [string, string])[] = [
    ['api.public_url', api.publicUrl],
    ['api.checkout_url', api.checkoutUrl],
    ...(roles.includes('dashboard') ? [['dashboard.url', dashboard.url] as const] : []),
    ...chains.flatMap(({ definition: { name }, nodes }) => [
      ...nodes.rpcUrls.map((url) => [`chains.${name}.rpc_urls`, url] as const),
      ...nodes.solidityUrls.map((url) => [`chains.${name}.solidity_urls`, url] as const),
    ]),
  ];
  const named = places.map(([entry, url]) => ({ entry, host: new URL(url).hostname }));
  return named
    .filter(({ host }) => host.endsWith('.example'))
    .map(({ entry, host }) => `${entry}: ${host} is a host of the example, put your own there`);
}

/** Warns about what merchants may do after a sign-up, before an operator has looked. */
function ofStrangers({ signUp, signUpTerms }: Config['dashboard']): readonly string[] {
  const { isSuspended, limits } = signUpTerms;
  if (signUp !== 'open' || isSuspended) return [];
  const at = 'dashboard.sign_ups';
  const most = limits.payoutMaxValue ?? 0n;
  const payouts = `may pay out ${formatDecimal(most, VALUE_DECIMALS)} USD at once`;
  return [
    `${at}.suspended: who signs up may make apps, QR codes and orders before an operator has looked`,
    ...(most === 0n ? [] : [`${at}.payout_max_usd: who signs up ${payouts} before an operator has looked`]),
  ];
}

/** Warns where the number of providers of a chain makes one provider decide, or one provider stop finality. */
function fewProviders({ definition: { name }, nodes }: ConfiguredChain): readonly string[] {
  const at = `chains.${name}.rpc_urls`;
  const count = nodes.rpcUrls.length;
  const quorum = nodes.quorum ?? defaultQuorum(count);
  if (quorum === 1) {
    const one = count === 1 ? `${at}: one provider` : `chains.${name}.quorum: one of ${count} providers`;
    return [`${one} decides what is paid; a wrong one can make unpaid orders PAID`];
  }
  if (quorum < count) return [];
  return [
    `${at}: ${count} providers, and ${quorum} have to agree: one that is away stops finality until it is back`,
  ];
}

/** Warns where a chain has the name of a known chain and another chain id. It may be a test chain, or a chain by mistake. */
function otherChain({ definition: { name, chainId } }: ConfiguredChain): readonly string[] {
  const known = chainDefinitions.find((each) => each.name === name);
  if (known === undefined || known.chainId === 0 || known.chainId === chainId) return [];
  const coin = known.currencies[0]?.symbol ?? name;
  return [
    `chains.${name}.chain_id: ${chainId} is not the chain that Ducat knows as ${name} (${known.chainId}); its coin is priced as ${coin} and the known tokens keep their contracts all the same`,
  ];
}
