// The questions of open pages, the oldest first. Pages that show the same share one; sessions and merchants have limits.
import type { ServerResponse } from 'node:http';
import type { LiveQuestion } from './live-questions.ts';

export interface Watched {
  readonly question: LiveQuestion;
  /** The streams with their sessions. */
  readonly streams: Map<ServerResponse, string>;
  /** Grows with each new question. */
  readonly sequence: number;
  mark: string;
  /** The answer as it was sent last, without its clock. */
  sent: string;
  /** Whether the question is answered anew although its mark has not changed. */
  isDue: boolean;
  /** How often in a row the answer failed, and how many rounds the question is skipped for that. */
  failures: number;
  waits: number;
}

/** Keyed by the question as JSON. */
export type WatchedList = ReadonlyMap<string, Watched>;

export interface LiveBounds {
  /** Different questions of one session: more than a person has tabs. */
  readonly perSession: number;
  readonly perMerchant: number;
}

export const LIVE_BOUNDS: LiveBounds = { perSession: 16, perMerchant: 200 };

/**
 * The streams that are cut for a new one: the session's own streams of its oldest question, or none while the session is
 * within its limit. 'new' where the merchant has too many questions: the new stream is cut, because other people's pages
 * stay.
 */
export function goFor(
  watched: WatchedList,
  {
    subject,
    merchantId,
    sessionId,
  }: { readonly subject: string; readonly merchantId: string; readonly sessionId: string },
  { perSession, perMerchant }: LiveBounds,
): readonly ServerResponse[] | 'new' {
  const standing = watched.get(subject);
  const all = [...watched.values()];
  const ofMerchant = all.filter(({ question }) => question.request.merchant_id === merchantId);
  // mark: live-questions-of-a-merchant
  if (standing === undefined && ofMerchant.length >= perMerchant) return 'new';
  const isOwn = ({ streams }: Watched) => [...streams.values()].includes(sessionId);
  const own = all.filter((one) => one !== standing && isOwn(one));
  // mark: live-questions-of-a-session
  if (own.length < perSession) return [];
  const [oldest] = own;
  return [...(oldest?.streams ?? [])].flatMap(([stream, by]) => (by === sessionId ? [stream] : []));
}
