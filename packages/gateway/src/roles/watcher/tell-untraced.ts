// Tells what nobody knows of a block, once: a block can be read twice, and tell more of it the second time.
import type { ChainBlock } from '../../chains/port.ts';
import type { LeasedChain } from './parts.ts';

/** Blocks of which something is remembered: more than are read and not yet final, where every one has something. */
const MAX_KEPT = 256;

/** By the hash of the block, for each walk; a walk that begins anew tells it anew. */
const toldBefore = new WeakMap<LeasedChain, Map<string, Set<string>>>();

/** What was not told of this block before. */
export function tellUntraced(watch: LeasedChain, { header, untraced }: ChainBlock): void {
  if (untraced.length === 0) return;
  const { log, observer } = watch;
  const chain = watch.chain.definition.name;
  const told = toldOf(watch, header.hash);
  const more = untraced.filter(({ txId, reason }) => !told.has(`${txId} ${reason}`));
  if (more.length === 0) return;
  log.error({ chain, block: header.number, untraced: more }, 'value inside these transactions is unknown');
  for (const { txId, reason } of more) {
    told.add(`${txId} ${reason}`);
    observer.onUntraced(chain, reason);
  }
}

function toldOf(watch: LeasedChain, hash: string): Set<string> {
  const blocks = toldBefore.get(watch) ?? new Map<string, Set<string>>();
  toldBefore.set(watch, blocks);
  const told = blocks.get(hash) ?? new Set<string>();
  blocks.set(hash, told);
  const [oldest] = blocks.keys();
  if (blocks.size > MAX_KEPT && oldest !== undefined) blocks.delete(oldest);
  return told;
}
