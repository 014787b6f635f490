// Finds the addresses of a host name without letting slow name servers hold up other receivers.
import { lookup, Resolver } from 'node:dns/promises';
import type { World } from '../../../runtime/world.ts';

/** All addresses of a name, IPv4 before IPv6; rejects when there is none or no name server answers. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

/** A question to a name server is given up after this long and asked once more. */
const QUESTION_MS = 3_000;
const TRIES = 2;

/** Once the addresses of one IP version are there, how long those of the other version are waited for. */
const OTHER_KIND_MS = 1_000;

/**
 * Asks name servers directly, those given or else the system's. The operating system's own lookup runs on a few
 * threads that the whole process shares, so four merchants with name servers that never answer would stop everybody.
 * That lookup is used only for names without a dot, such as localhost or a neighbouring container: no stranger's name
 * server answers for these.
 */
export function createResolveHost(world: Pick<World, 'sleep'>, servers?: readonly string[]): ResolveHost {
  return async (hostname) => {
    if (!hostname.includes('.')) {
      const found = await lookup(hostname, { all: true });
      return inOrder(found.map((entry) => entry.address));
    }
    const resolver = new Resolver({ timeout: QUESTION_MS, tries: TRIES });
    if (servers !== undefined) resolver.setServers(servers);
    const questions = [resolver.resolve4(hostname), resolver.resolve6(hostname)];
    const done = new AbortController();
    // Some name servers know IPv4 only and never answer for IPv6. While there is no address at all, both are waited for.
    Promise.any(questions)
      .then(() => world.sleep(OTHER_KIND_MS, done.signal))
      .then(
        () => resolver.cancel(),
        () => undefined,
      );
    const answers = await Promise.allSettled(questions);
    done.abort();
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0) throw new Error('the name has no address');
    return addresses;
  };
}

function inOrder(addresses: readonly string[]): readonly string[] {
  const isIpv6 = (address: string) => address.includes(':');
  return [...addresses.filter((address) => !isIpv6(address)), ...addresses.filter(isIpv6)];
}
