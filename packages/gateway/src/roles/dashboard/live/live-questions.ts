// The questions that a live page may ask, how they are answered, and the mark that changes with the answer.
import type { RequestOf, ResponseOf } from '@ducat/contract/dashboard/registry';
import {
  readMerchantMarks,
  readOrderMarks,
  readPayoutMarks,
} from '../../../db/reports/dashboard/live-marks.ts';
import type { Reader } from '../../../db/postgres/tx.ts';
import type { Answer } from '../call.ts';
import { handleHome } from '../home/home.ts';
import type { MerchantCall } from '../merchant-scope.ts';
import { handleOrderList } from '../orders/list-orders.ts';
import { handleOrderRead } from '../orders/read-order.ts';
import { handlePayoutList } from '../payouts/list-payouts.ts';
import { handlePayoutRead } from '../payouts/read-payout.ts';

export const liveNames = ['home.read', 'orders.list', 'orders.read', 'payouts.list', 'payouts.read'] as const;

export type LiveName = (typeof liveNames)[number];

/** A question of a live page: an operation and its request. */
export type LiveQuestion<Name extends LiveName = LiveName> = {
  readonly [N in Name]: { readonly name: N; readonly request: RequestOf<N> };
}[Name];

export type LiveAnswer = ResponseOf<LiveName>;

/** The parts of a call that live pages have; there is no HTTP request. */
export type Looking = Pick<MerchantCall, 'deps' | 'nowMs' | 'merchantId' | 'reader'>;

const handlers: {
  readonly [N in LiveName]: (looking: Looking, request: RequestOf<N>) => Promise<Answer<ResponseOf<N>>>;
} = {
  'home.read': handleHome,
  'orders.list': handleOrderList,
  'orders.read': handleOrderRead,
  'payouts.list': handlePayoutList,
  'payouts.read': handlePayoutRead,
};

export function answerLive<Name extends LiveName>(
  looking: Looking,
  { name, request }: LiveQuestion<Name>,
): Promise<Answer<ResponseOf<Name>>> {
  return handlers[name](looking, request);
}

/** The marks of all questions, read by one statement for each kind of subject. A list has the mark of its merchant. */
export async function readMarks(
  reader: Reader,
  questions: readonly LiveQuestion[],
): Promise<(question: LiveQuestion) => string> {
  const subjects = questions.map(subjectOf);
  const marksOf = async (kind: Subject['kind'], read: typeof readMerchantMarks) => {
    const ids = new Set(subjects.flatMap((one) => (one.kind === kind ? [one.id] : [])));
    return ids.size === 0 ? new Map<string, string>() : read(reader, [...ids]);
  };
  const marks = {
    merchant: await marksOf('merchant', readMerchantMarks),
    order: await marksOf('order', readOrderMarks),
    payout: await marksOf('payout', readPayoutMarks),
  };
  return (question) => {
    const { kind, id } = subjectOf(question);
    return marks[kind].get(id) ?? '';
  };
}

interface Subject {
  readonly kind: 'merchant' | 'order' | 'payout';
  readonly id: string;
}

function subjectOf({ name, request }: LiveQuestion): Subject {
  if (name === 'orders.read') return { kind: 'order', id: request.trade_no };
  if (name === 'payouts.read') return { kind: 'payout', id: request.trade_no };
  return { kind: 'merchant', id: request.merchant_id };
}
