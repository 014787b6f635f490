// Compares the senders that have work with their accounts on the chain, before anything is signed for them.
import { findBlock } from '../../db/tables/blocks.ts';
import { readSendersAtWork, type Sender } from '../../db/tables/outgoing/senders.ts';
import { checkSender } from '../../flows/outgoing/check-sender.ts';
import { openSender } from '../../flows/outgoing/open-sender.ts';
import type { BlockReference } from '../../chains/port/reader.ts';
import type { LeasedPayer, PayOutcome, StandingChain } from './parts.ts';

/** Senders of one chain. An operator has a handful; collections add one for each address that is being emptied. */
const MOST_SENDERS = 2_000;

/**
 * Asks for the nonce of each sender once a final block; a quorum has to report it alike. Throws Outage where there is no
 * quorum. Returns the final block of the check, so that the senders are not checked again before the next final block.
 */
export async function checkSenders(
  payer: LeasedPayer,
  cursor: StandingChain,
  before: number | null,
): Promise<{ readonly outcome: Exclude<PayOutcome, 'busy'>; readonly checked: number | null }> {
  const { writer, reader } = payer;
  const { name, family } = writer.definition;
  if (family !== 'evm') return { outcome: 'idle', checked: before };
  const senders = await readSendersAtWork(reader, { chain: name, limit: MOST_SENDERS });
  const isKnown = before === cursor.finalNumber;
  const due = senders.filter(({ nextNonce }) => nextNonce === null || !isKnown);
  const final = due.length === 0 ? null : await findBlock(reader, name, cursor.finalNumber);
  if (final === null) return { outcome: 'idle', checked: before };
  for (const sender of due) {
    if (!(await checkOne(payer, sender, final))) return { outcome: 'lease-lost', checked: before };
  }
  return { outcome: 'idle', checked: cursor.finalNumber };
}

/** False where the lease is lost. */
async function checkOne(payer: LeasedPayer, sender: Sender, at: BlockReference): Promise<boolean> {
  const { writer, transact, world, lease, log } = payer;
  const chain = writer.definition.name;
  const { senderId, address } = sender;
  if (sender.stoppedReason !== null) return true;
  const reported = await writer.nextNonce(address, at);
  if (reported === null) return true;
  if (sender.nextNonce === null) {
    const opened = await transact((tx) => openSender(tx, { chain, senderId, nonce: reported, lease }));
    log.info(
      { flow: 'open-sender', chain, address, nonce: reported, opened },
      'a sender is counted from here',
    );
    return true;
  }
  const input = { chain, senderId, at, reported, nowMs: world.nowMs(), lease };
  const checked = await transact((tx) => checkSender(tx, input));
  if (checked.outcome === 'stopped')
    log.error({ chain, address, reason: checked.reason }, 'a sender is stopped until an operator has looked');
  return checked.outcome !== 'lease-lost';
}
