// Has the signer sign prepared transactions, and stores the signed bytes before anything is broadcast.
import { pauseMs } from '@ducat/core/outgoing/pace';
import type { DueOutgoing } from '../../db/tables/outgoing/due-outgoing.ts';
import type { NextLook } from '../../db/tables/outgoing/look-again.ts';
import { readLogSequence, type SignedVariant } from '../../db/tables/outgoing/variants.ts';
import { recordSends } from '../../flows/outgoing/record-sends.ts';
import { recordSigned } from '../../flows/outgoing/record-signed.ts';
import { withdrawUnsigned } from '../../flows/outgoing/withdraw-unsigned.ts';
import { Outage } from '../../runtime/outage.ts';
import type { LeasedPayer, PayOutcome } from './parts.ts';

/** What became of one transaction at the signer. */
type Answered =
  | { readonly kind: 'signed'; readonly signed: SignedVariant }
  /** The signer certainly did not sign. */
  | { readonly kind: 'refused'; readonly look: NextLook }
  /** The signer may have signed: the same intent is asked for again. */
  | { readonly kind: 'unanswered'; readonly look: NextLook };

/** The newest variant of each of `prepared` is not signed. */
export async function signPrepared(
  payer: LeasedPayer,
  prepared: readonly DueOutgoing[],
): Promise<PayOutcome> {
  if (prepared.length === 0) return 'idle';
  const { writer, transact, reader, world, lease } = payer;
  const chain = writer.definition.name;
  let logSequence = await readLogSequence(reader);
  const answers: Answered[] = [];
  for (const one of prepared) {
    const answered = held(payer, one) ?? (await ask(payer, one, logSequence));
    if (answered.kind === 'signed') logSequence = Math.max(logSequence, answered.signed.logSequence);
    answers.push(answered);
  }
  const signed = answers.flatMap((one) => (one.kind === 'signed' ? [one.signed] : []));
  const nowMs = world.nowMs();
  if (signed.length > 0) {
    if (!(await transact((tx) => recordSigned(tx, { chain, signed, nowMs, lease })))) return 'lease-lost';
    payer.observer.onSigned(chain, signed.length);
  }
  for (const one of answers) {
    if (one.kind === 'signed') continue;
    const { look } = one;
    const done = await transact((tx) =>
      one.kind === 'refused'
        ? withdrawUnsigned(tx, { chain, look, nowMs, lease })
        : recordSends(tx, { chain, sent: [], looks: [look], nowMs, lease }),
    );
    if (!done) return 'lease-lost';
  }
  return signed.length > 0 ? 'busy' : 'idle';
}

/**
 * A first transaction is not signed for a suspended currency or a stopped sender. It is not taken back either: a signer
 * that gave no answer before may have signed it. Null where nothing stands in the way.
 */
function held({ world }: LeasedPayer, one: DueOutgoing): Answered | null {
  if (one.state !== 'prepared') return null;
  const trouble = one.isSuspended ? 'its currency is suspended' : one.senderStopped;
  if (trouble === null) return null;
  const { outgoingId, dueAtMs } = one;
  const nextAtMs = world.nowMs() + pauseMs(one.failures + 1);
  // mark: nothing-prepared-is-signed-while-suspended
  return { kind: 'unanswered', look: { outgoingId, dueAtMs, nextAtMs, trouble } };
}

async function ask(payer: LeasedPayer, one: DueOutgoing, logSequence: number): Promise<Answered> {
  const { signer, world, log, observer, writer } = payer;
  const { outgoingId, dueAtMs, variant, from } = one;
  const chain = writer.definition.name;
  const look = (trouble: string): NextLook => ({
    outgoingId,
    dueAtMs,
    nextAtMs: world.nowMs() + pauseMs(one.failures + 1),
    trouble,
  });
  if (variant === null) return { kind: 'unanswered', look: look('nothing is prepared') };
  try {
    const answer = await signer.sign(variant.intent, logSequence);
    if (answer.outcome === 'refused') {
      log.error({ chain, outgoingId, reason: answer.reason }, 'the signer refuses a transaction');
      observer.onRefused(chain, answer.reason);
      return { kind: 'refused', look: look(`the signer refuses: ${answer.reason}`) };
    }
    const { txId, bytes } = answer;
    if (answer.from === from) {
      const { ordinal } = variant;
      return {
        kind: 'signed',
        signed: { outgoingId, ordinal, txId, bytes, logSequence: answer.logSequence },
      };
    }
    log.error(
      { chain, outgoingId, from, signed: answer.from },
      'the signer has another key for this address',
    );
    return { kind: 'unanswered', look: look('the signer has another key for this address') };
  } catch (error) {
    if (!(error instanceof Outage)) throw error;
    observer.onOutage(chain, error.kind);
    log.warn({ chain, outgoingId, error }, 'the signer gives no answer');
    return { kind: 'unanswered', look: look('the signer gives no answer') };
  }
}
