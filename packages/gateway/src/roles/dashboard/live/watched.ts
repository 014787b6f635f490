// What open pages show, the oldest first: one question for all that show the same, and so many of a session and of a merchant.
import type { ServerResponse } from 'node:http';
import type { LiveQuestion } from './live-questions.ts';

export interface Watched {
  readonly question: LiveQuestion;
  /** The streams with their sessions. */
  readonly streams: Map<ServerResponse, string>;
  /** Larger for each newer one. */
  readonly sequence: number;
  mark: string;
  /** The answer as it was sent last, without its clock. */
  sent: string;
  /** It is answered anew although its mark stands. */
  isDue: boolean;
  /** How often in a row it could not be answered, and how many rounds it waits for that. */
  failures: number;
  waits: number;
}

/** By the text of the question. */
export type WatchedList = ReadonlyMap<string, Watched>;

export interface LiveBounds {
  /** Different questions of one session: more than a person has tabs. */
  readonly perSession: number;
  readonly perMerchant: number;
}

export const LIVE_BOUNDS: LiveBounds = { perSession: 16, perMerchant: 200 };

/**
 * Which streams go for a new one: those of the question that its session has looked at longest. The new one itself where its
 * merchant has too many: other people's pages stay.
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
