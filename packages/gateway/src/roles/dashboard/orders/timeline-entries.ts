// The entries that stories of orders and of payouts share: journal, webhooks, and what was sent.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import type { OutgoingStory } from '../../../db/reports/dashboard/money/outgoing-story.ts';
import type { StoryEntry } from '../../../db/reports/dashboard/subject-entries.ts';
import type { AttemptRecord, EventRecord } from '../../../db/tables/deliveries/event-lists.ts';
import { seconds, secondsOrNull, type Texts } from '../texts.ts';

export function presentEntry({ entryId, fact, reference, atMs, postings }: StoryEntry, texts: Texts) {
  return {
    kind: 'ledger' as const,
    at: seconds(atMs),
    entry_id: entryId,
    fact,
    reference,
    postings: postings.map(({ kind, amount }) => ({ account: kind, ...texts.money(amount) })),
  };
}

export function presentWebhook(event: EventRecord, attempts: readonly AttemptRecord[]) {
  return {
    kind: 'webhook' as const,
    at: seconds(event.createdAtMs),
    event_id: event.eventId,
    type: event.type,
    status: event.status,
    state: event.state,
    url: event.url,
    body: event.body,
    attempts: attempts.map(presentAttempt),
    next_attempt_at: secondsOrNull(event.nextAttemptAtMs),
  };
}

export function presentAttempt({ attempt, startedAtMs, durationMs, httpStatus, outcome }: AttemptRecord) {
  return {
    attempt,
    started_at_ms: startedAtMs,
    duration_ms: durationMs,
    http_status: httpStatus,
    outcome,
  };
}

type Outgoing = Extract<
  ResponseOf<'payouts.read'>['timeline'][number],
  { readonly kind: 'sending' }
>['transaction'];

export function presentOutgoing(
  {
    chain,
    subjectKind,
    action,
    state,
    from,
    to,
    amount,
    createdAtMs,
    endedAtMs,
    trouble,
    variants,
  }: OutgoingStory,
  texts: Texts,
): Outgoing {
  return {
    subject_kind: subjectKind,
    action,
    state,
    from: from === null ? '' : texts.address(chain, from),
    to: texts.address(chain, to),
    ...texts.money(amount),
    created_at: seconds(createdAtMs),
    ended_at: secondsOrNull(endedAtMs),
    trouble,
    variants: variants.map(({ txId, signedAtMs, sends, lastAnswer, block }) => ({
      tx_id: txId,
      signed_at: secondsOrNull(signedAtMs),
      sends,
      last_answer: lastAnswer,
      block:
        block === null
          ? null
          : {
              number: block.number,
              time: block.time,
              status: block.status,
              is_final: block.isFinal,
              fee_currency_id: block.fee.currencyId,
              fee: texts.amount(block.fee),
            },
    })),
  };
}
