// Repeats a journal in a fresh node: same transactions, same times, same order give the same blocks.
import type { JournalEntry } from './chain-journal.ts';
import type { Checkpoint } from './chain-store.ts';
import { callRpc, callRpcHex, fetchHeader, RpcRefusal } from '../evm/json-rpc.ts';

/**
 * Loads the checkpoint, if there is one, and carries the entries out. Returns the accepted transactions by hash. Throws
 * when the result is not the chain that the journal recorded.
 */
export async function replay(
  nodeUrl: string,
  checkpoint: Checkpoint | undefined,
  entries: readonly JournalEntry[],
): Promise<Map<string, `0x${string}`>> {
  const taken = new Map<string, `0x${string}`>();
  if (checkpoint !== undefined) {
    const state = `0x${Buffer.from(checkpoint.state).toString('hex')}`;
    await callRpc(nodeUrl, 'anvil_loadState', [state], 600_000);
    for (const raw of checkpoint.pending) await resend(nodeUrl, raw, taken);
  }
  for (const entry of entries) {
    if (entry.kind === 'tx') await resend(nodeUrl, entry.raw, taken);
    if (entry.kind === 'block') await callRpc(nodeUrl, 'evm_mine', [entry.timestamp]);
    if (entry.kind === 'rollback') await callRpc(nodeUrl, 'anvil_rollback', [entry.depth]);
  }
  await verify(nodeUrl, entries);
  return taken;
}

async function resend(nodeUrl: string, raw: `0x${string}`, taken: Map<string, `0x${string}`>): Promise<void> {
  try {
    taken.set(await callRpcHex(nodeUrl, 'eth_sendRawTransaction', [raw]), raw);
  } catch (error) {
    // A transaction that was refused then is refused again, and changes nothing in either case.
    if (!(error instanceof RpcRefusal)) throw error;
  }
}

/**
 * Checks the head and the newest recorded hash. Every block holds the hash of its parent, so that hash vouches for all
 * blocks before it.
 */
async function verify(nodeUrl: string, entries: readonly JournalEntry[]): Promise<void> {
  const ordered = entries.findLast((entry) => entry.kind === 'block' || entry.kind === 'rollback');
  const head = await fetchHeader(nodeUrl, 'latest');
  if (ordered !== undefined && 'number' in ordered && head?.number !== ordered.number) {
    throw new Error(`the replay ended at block ${head?.number} instead of ${ordered.number}`);
  }
  // Blocks that a rollback removed are no longer part of this chain.
  const since = entries.findLastIndex((entry) => entry.kind === 'rollback') + 1;
  const recorded = entries.slice(since).findLast((entry) => entry.kind === 'mined');
  if (recorded?.kind !== 'mined') return;
  const block = await fetchHeader(nodeUrl, recorded.number);
  if (block?.hash !== recorded.hash) {
    throw new Error(`block ${recorded.number} came out as ${block?.hash} instead of ${recorded.hash}`);
  }
}
