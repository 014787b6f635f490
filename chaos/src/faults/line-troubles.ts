// Trouble on the lines between the parts: it lasts for a while, and then until it has met something.
import type { TcpProxy, Trouble } from '@ducat/devnet/net/tcp-proxy';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import type { NodeLine } from '../chains/chain.ts';
import type { Chance } from '../chance.ts';
import { type Fault, type Hand, sleep } from './fault.ts';
import type { Stage } from '../stage.ts';
import { startThrottled } from './throttled.ts';

/** How long it lasts at least. */
const TROUBLE_MS = 800;
/** How long it waits for something to meet. */
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

/** Connections that were open are cut at the end: they have used up their bytes, and would carry the trouble on. */
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

/** What answers instead of the nodes says to everything that it was too much, as providers above their limits do. */
export const throttleNodes: Fault = async ({ stage, hit }) => {
  const provider = await startThrottled();
  try {
    for (const { proxy } of linesOf(stage)) {
      proxy.retarget(provider.target);
      proxy.cut();
    }
    // Connections that are cut let the gateway pause before it asks again.
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
