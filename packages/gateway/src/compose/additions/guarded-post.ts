// HTTP requests to nodes whose addresses were typed in a browser. They reach public hosts and configured networks only.
import { isIP, type LookupFunction } from 'node:net';
import { isWebhookAddress } from '@ducat/contract/fields/web-address';
import { createHttpPost, type HttpPost } from '../../chains/rpc/http-post.ts';
import { pinnedLookup } from '../../roles/notifier/http/pinned-lookup.ts';
import { createResolveHost } from '../../roles/notifier/http/resolve-host.ts';
import { isAllowed, isGloballyRoutable, parseAllowList } from '../../roles/notifier/http/routable-address.ts';
import { Outage } from '../../runtime/outage.ts';
import type { World } from '../../runtime/world.ts';

const REFUSED = 'stands in a private network that dashboard.private_nodes does not name';

/**
 * Each connection is opened to the addresses that were vetted for it, so a DNS change afterwards has no effect. One bad
 * address of a host refuses the host.
 */
export function guardedPost(world: Pick<World, 'sleep'>, privateRanges: readonly string[]): HttpPost {
  const allowed = parseAllowList(privateRanges);
  const isSafe = (address: string) => isGloballyRoutable(address) || isAllowed(address, allowed);
  const resolve = createResolveHost(world);
  /** The addresses to connect to, or the error why there are none. */
  const vet = async (hostname: string): Promise<readonly string[] | Error> => {
    try {
      // A name without a dot is an internal host. Its lookup would run on the few threads that the whole process shares.
      const addresses = hostname.includes('.') || allowed.length > 0 ? await resolve(hostname) : [];
      return addresses.length > 0 && addresses.every(isSafe) ? addresses : refused();
    } catch (error) {
      return error instanceof Error ? error : refused();
    }
  };
  const lookUp = async (...[hostname, options, callback]: Parameters<LookupFunction>) => {
    const vetted = await vet(hostname);
    if (vetted instanceof Error) callback(vetted, '');
    else pinnedLookup(vetted)(hostname, options, callback);
  };
  const post = createHttpPost({ lookup: (...asked) => void lookUp(...asked) });
  return async (request) => {
    // A socket calls `lookup` for host names only, so a literal IP address is checked here.
    const host = new URL(request.url).hostname.replace(/^\[(.*)\]$/, '$1');
    if (!isWebhookAddress(request.url) || (isIP(host) !== 0 && !isSafe(host))) throw new Outage(REFUSED);
    return post(request);
  };
}

function refused(): NodeJS.ErrnoException {
  return Object.assign(new Error(REFUSED), { code: 'PRIVATE_ADDRESS' });
}
