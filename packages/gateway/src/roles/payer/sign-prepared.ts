// Has the signer sign prepared transactions, and stores the signed bytes before anything is broadcast.
import { pauseMs } from '@ducat/core/outgoing/pace';
import { refusalText } from '@ducat/core/outgoing/refusal';
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
  /** The signer may have signed, or was not asked: the same intent is asked for again. */
  | { readonly kind: 'unanswered'; readonly look: NextLook };

/** The newest variant of each of `prepared` is not signed. */
export async function signPrepared(
  payer: LeasedPayer,
  prepared: readonly DueOutgoing[],
): Promise<PayOutcome> {
  if (prepared.length === 0) return 'idle';
  const { writer, transact, world, lease } = payer;
  const chain = writer.definition.name;
  const answers = await askInOrder(payer, prepared);
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
  // What was prepared behind a refused one is due at once.
  return answers.some(({ kind }) => kind !== 'unanswered') ? 'busy' : 'idle';
}

/**
 * Asks for first variants in the order of the nonces of each sender, and for none behind one that is not signed: its nonce
 * may be given back, and nodes would keep those above it waiting.
 */
async function askInOrder(
  payer: LeasedPayer,
  prepared: readonly DueOutgoing[],
): Promise<readonly Answered[]> {
  const answers: Answered[] = [];
  /** By sender: the nonce that is asked for next; null once one is refused. */
  const next = new Map<number, number | null>();
  let logSequence = await readLogSequence(payer.reader);
  for (const one of prepared.toSorted((a, b) => (a.nonce ?? 0) - (b.nonce ?? 0))) {
    const { senderId, nonce, ofSender } = one;
    const isOrdered = one.state === 'prepared' && nonce !== null;
    const turn = next.get(senderId);
    // It is withdrawn together with the refused one.
    if (isOrdered && turn === null) continue;
    const isTurn = !isOrdered || nonce === (turn ?? ofSender.nextToSign);
    // mark: signed-in-the-order-of-nonces
    const answered = isTurn ? (held(payer, one) ?? (await ask(payer, one, logSequence))) : behind(payer, one);
    if (answered.kind === 'signed') logSequence = Math.max(logSequence, answered.signed.logSequence);
    if (isOrdered && answered.kind === 'signed') next.set(senderId, nonce + 1);
    if (isOrdered && answered.kind === 'refused') next.set(senderId, null);
    answers.push(answered);
  }
  return answers;
}

function behind({ world }: LeasedPayer, { outgoingId, dueAtMs, failures }: DueOutgoing): Answered {
  const nextAtMs = world.nowMs() + pauseMs(failures + 1);
  const trouble = 'a lower nonce of its sender is not signed yet';
  return { kind: 'unanswered', look: { outgoingId, dueAtMs, nextAtMs, trouble } };
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
      return { kind: 'refused', look: look(refusalText(answer.reason)) };
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
