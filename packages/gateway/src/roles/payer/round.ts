// One round of paying on one chain: senders are checked, and every transaction that is due goes one step further.
import { nativeCurrency } from '@ducat/core/chain/chain';
import { readCursor } from '../../db/tables/cursors.ts';
import { readDueOutgoing } from '../../db/tables/outgoing/due-outgoing.ts';
import { type PayableItem, readPayable } from '../../db/tables/outgoing/quarantines.ts';
import { sendPayouts } from '../../flows/payouts/send-payouts.ts';
import { newOutgoingId } from '../../runtime/ids.ts';
import { checkSenders } from './check-senders.ts';
import type { LeasedPayer, PayOutcome, StandingChain } from './parts.ts';
import { prepareWaiting } from './prepare-waiting.ts';
import { sendOlder, sendSigned } from './send-signed.ts';
import { signPrepared } from './sign-prepared.ts';

/** Transactions of one round. The next round takes the others. */
export const MOST_AT_ONCE = 64;

export interface Rounded {
  /** `no-work` where nothing was due. */
  readonly outcome: PayOutcome | 'no-work';
  /** The final block for which the senders were checked last; null before the first. */
  readonly checked: number | null;
}

/** Throws Outage where the chain or the database is away. The next round finds all work that was stored. */
export async function payRound(
  payer: LeasedPayer,
  before: number | null,
  // Everything that is due unless one item is named.
  only: PayableItem | null = null,
): Promise<Rounded> {
  const { writer, reader, world } = payer;
  const { definition } = writer;
  // Most rounds find no work, so this is their only query.
  if (only === null && !(await hasWork(payer))) return { outcome: 'no-work', checked: before };
  const cursor = await standing(payer);
  if (cursor === null) return { outcome: 'idle', checked: before };
  const input = { chain: definition, limit: MOST_AT_ONCE, nowMs: world.nowMs(), lease: payer.lease };
  const newId = () => newOutgoingId(world);
  if (only?.kind !== 'outgoing') {
    const claim = { ...input, newOutgoingId: newId, only: only?.id ?? null };
    const requested = await payer.transact((tx) => sendPayouts(tx, claim));
    if (requested === null) return { outcome: 'lease-lost', checked: before };
  }
  if (only?.kind === 'payout') return { outcome: 'idle', checked: before };
  const nativeId = nativeCurrency(definition).currencyId;
  const query = { chain: definition.name, nativeId, only: only?.id ?? null };
  const due = await readDueOutgoing(reader, { ...query, nowMs: world.nowMs(), limit: MOST_AT_ONCE });
  if (due.length === 0) return { outcome: 'idle', checked: before };
  const unsigned = due.filter(({ variant, state }) => state !== 'waiting' && variant?.signed === null);
  const signed = due.filter(({ variant, state }) => state !== 'waiting' && variant?.signed !== null);
  // Signed bytes are broadcast first, whatever prevents more from being signed.
  const sent = await sendSigned(payer, cursor, signed);
  if (sent === 'lease-lost') return { outcome: sent, checked: before };
  await Promise.all(unsigned.map((one) => sendOlder(payer, one)));
  const { outcome, checked } = await checkSenders(payer, cursor, before);
  if (outcome === 'lease-lost') return { outcome, checked };
  const steps = [
    () => signPrepared(payer, unsigned),
    () =>
      prepareWaiting(
        payer,
        due.filter(({ state }) => state === 'waiting'),
      ),
  ];
  let busy = sent === 'busy';
  for (const step of steps) {
    const done = await step();
    if (done === 'lease-lost') return { outcome: done, checked };
    if (done === 'busy') busy = true;
  }
  return { outcome: busy ? 'busy' : 'idle', checked };
}

async function hasWork({ writer, reader, world }: LeasedPayer): Promise<boolean> {
  const payable = await readPayable(reader, { chain: writer.definition, nowMs: world.nowMs(), limit: 1 });
  return payable.length > 0;
}

/** Null where the chain is halted, or has no final block yet. */
async function standing({ writer, reader }: LeasedPayer): Promise<StandingChain | null> {
  const cursor = await readCursor(reader, writer.definition.name);
  if (cursor === null || cursor.haltedReason !== null) return null;
  const { finalNumber } = cursor;
  return finalNumber === null ? null : { ...cursor, finalNumber };
}
