// A block that repeats a transfer: one endpoint's word does not stop a chain, what two of them have does.
import type { BlockReference } from '../../chains/port.ts';
import { haltChain } from '../../flows/blocks/halt-chain.ts';
import type { RepeatedTransfer } from '../../db/tables/transfers/insert-transfers.ts';
import type { LeasedChain, Step } from './parts.ts';

/**
 * Halts the chain where another endpoint has that very block, or where only one is configured, which nobody can
 * contradict. Else throws `Outage`, and the endpoint that told of it rests.
 */
export async function refuseRepeat(
  { chain, transact, world, lease, log, observer }: LeasedChain,
  { number, hash }: BlockReference,
  { txId, position, inBlock }: RepeatedTransfer,
): Promise<Step> {
  const { name } = chain.definition;
  const where = inBlock === null ? 'which it holds twice' : `which stands in block ${inBlock}`;
  const doubt = `repeats a transfer, ${txId} ${position}, ${where}`;
  await chain.confirmBlock({ number, hash }, doubt);
  const reason = `block ${number} ${hash} ${doubt}`;
  log.error(
    { flow: 'halt-chain', chain: name, block: number, hash, reason },
    'a confirmed block halts the chain',
  );
  const halted = await transact((tx) => haltChain(tx, { chain: name, reason, nowMs: world.nowMs(), lease }));
  if (halted === 'halted') observer.onHalted(name);
  return halted;
}
