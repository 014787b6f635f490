// Trouble on the connections between the parts: it lasts for a set time, and then until it has met some traffic.
import type { TcpProxy, Trouble } from '@ducat/devnet/net/tcp-proxy';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import type { NodeLine } from '../chains/chain.ts';
import type { Chance } from '../chance.ts';
import { type Fault, type Hand, sleep } from './fault.ts';
import type { Stage } from '../stage.ts';
import { startThrottled } from './throttled.ts';

/** How long a trouble lasts at least. */
const TROUBLE_MS = 800;
/** How long a trouble waits for traffic to meet. */
const HIT_WITHIN_MS = 60_000;

export function onNodes(trouble: (chance: Chance) => Trouble): Fault {
  return (hand) =>
    troubleFor(
      hand,
      linesOf(hand.stage).map(({ proxy }) => proxy),
      trouble(hand.chance),
    );
}

export function onApis(trouble: (chance: Chance) => Trouble): Fault {
  return (hand) => troubleFor(hand, [...hand.stage.apiProxies.values()], trouble(hand.chance));
}

export function onReceivers(trouble: (chance: Chance) => Trouble): Fault {
  return (hand) =>
    troubleFor(
      hand,
      hand.stage.receivers.map(({ proxy }) => proxy),
      trouble(hand.chance),
    );
}

/** Cuts the open connections at the end: their count of bytes is used up, so that their trouble would go on. */
async function troubleFor(
  { hit, note }: Hand,
  proxies: readonly TcpProxy[],
  trouble: Trouble,
): Promise<void> {
  const hits = () => proxies.reduce((sum, proxy) => sum + proxy.hits(), 0);
  const before = hits();
  for (const proxy of proxies) proxy.setTrouble(trouble);
  await sleep(TROUBLE_MS);
  const hasHit = () => hits() > before;
  await waitUntil('trouble to meet something', hasHit, { timeoutMs: HIT_WITHIN_MS }).catch(() =>
    note('faults that met nothing within a minute'),
  );
  hit(hits() - before);
  for (const proxy of proxies) {
    proxy.setTrouble({});
    proxy.cut();
  }
}

/** A server in the place of the nodes answers every request with 429, as a provider does above its rate limit. */
export const throttleNodes: Fault = async ({ stage, hit }) => {
  const provider = await startThrottled();
  try {
    for (const { proxy } of linesOf(stage)) {
      proxy.retarget(provider.target);
      proxy.cut();
    }
    // After a cut connection the gateway pauses before it asks again.
    const isAsked = () => provider.answered() > 0;
    await waitUntil('the nodes to be asked', isAsked, { timeoutMs: HIT_WITHIN_MS });
    await sleep(TROUBLE_MS);
  } finally {
    for (const { proxy, target } of linesOf(stage)) {
      proxy.retarget(target);
      proxy.cut();
    }
    await provider.stop();
  }
  hit(provider.answered());
};

function linesOf({ chains }: Stage): readonly NodeLine[] {
  return chains.flatMap(({ lines }) => lines);
}
