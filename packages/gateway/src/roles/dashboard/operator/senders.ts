// senders.resume: a stopped sender goes on, after an operator has looked at who used its key.
import { findSender } from '../../../db/tables/outgoing/senders.ts';
import { resumeSender } from '../../../flows/outgoing/resume-sender.ts';
import { Outage } from '../../../runtime/outage.ts';
import { answer, type Handler, refusal, unknown } from '../call.ts';
import type { ReportedNonce } from '../data-port.ts';

const CHANGED = 'the sender runs already, or is stopped for another reason: look at it again';

export const handleSenderResume: Handler<'senders.resume'> = async (call, request) => {
  const { deps, nowMs } = call;
  const { sender_id: senderId, stopped_reason: reason } = request;
  const sender = await findSender(deps.reader, senderId);
  if (sender === null) return unknown('sender');
  if (sender.stoppedReason !== reason) return refusal('changed', CHANGED);
  const { chain, address } = sender;
  let nonce: ReportedNonce | null;
  try {
    nonce = await deps.askNonce(chain, address);
  } catch (error) {
    if (!(error instanceof Outage)) throw error;
    deps.logger.warn({ chain, error }, 'the nonce of a sender cannot be asked for');
    return refusal('unavailable', `the nodes of ${chain} do not answer now: try again`);
  }
  if (nonce === null) return refusal('unavailable', `no block of ${chain} is final yet`);
  const input = { chain, senderId, ...nonce, reason, nowMs };
  const resumed = await deps.transact(async (tx) => {
    const done = await resumeSender(tx, input);
    if (done.outcome !== 'resumed') return done;
    const failed = done.failed.map(({ subjectKind, subjectId }) => `${subjectKind} ${subjectId}`);
    const what = [reason, ...failed.map((one) => `${one} failed`)].join('; ');
    await call.record(tx, { subject: `${chain} ${address}`, detail: what.slice(0, 1_000) });
    return done;
  });
  if (resumed.outcome === 'stale') return refusal('unavailable', 'the chain went on meanwhile: try again');
  if (resumed.outcome === 'not-stopped') return refusal('changed', CHANGED);
  return answer({
    failed: resumed.failed.map(({ subjectKind, subjectId }) => ({
      subject_kind: subjectKind,
      subject_id: subjectId,
    })),
  });
};
