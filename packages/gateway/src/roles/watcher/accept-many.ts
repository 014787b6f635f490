// Blocks far below the head, where nothing becomes final yet, are taken into the books in one transaction.
import type { ChainBlock } from '../../chains/port.ts';
import { acceptPlainBlocks } from '../../flows/blocks/accept-plain-blocks.ts';
import { NOTHING_SETTLED } from '../../flows/blocks/settle.ts';
import { Outage } from '../../runtime/outage.ts';
import type { LeasedChain } from './parts.ts';
import { tellUntraced } from './tell-untraced.ts';

const nothingSettled = { ...NOTHING_SETTLED, isBehind: false };

/** How many of the blocks are in the books now: all of them, or none where one of them wants a closer look. */
export async function acceptMany(watch: LeasedChain, blocks: readonly ChainBlock[]): Promise<number> {
  const { chain, transact, world, lease, log, observer } = watch;
  const { definition } = chain;
  const nowMs = world.nowMs();
  const taken = await transact((tx) =>
    acceptPlainBlocks(tx, { chain: definition, blocks, nowMs, lease }),
  ).catch((error: unknown) => {
    // They may be in the books all the same, and then nobody reads them again.
    if (error instanceof Outage) for (const block of blocks) tellUntraced(watch, block);
    throw error;
  });
  if (taken === null) return 0;
  const durationMs = world.nowMs() - nowMs;
  for (const [place, block] of blocks.entries()) {
    const { number, hash } = block.header;
    const accepted = { outcome: 'accepted', seen: taken[place] ?? 0, settled: nothingSettled } as const;
    const fields = { flow: 'accept-plain-blocks', chain: definition.name, block: number, hash, ...accepted };
    log[accepted.seen > 0 ? 'info' : 'debug']({ ...fields, blocks: blocks.length, durationMs }, 'block');
    observer.onAccepted(definition.name, number, accepted);
    tellUntraced(watch, block);
  }
  return blocks.length;
}
