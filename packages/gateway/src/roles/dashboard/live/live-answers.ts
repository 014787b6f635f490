// Keeps open pages up to date: one poll of the database for all of them, and one new answer for all that show the same.
import type { ServerResponse } from 'node:http';
import { Bug } from '@ducat/core/assert';
import { isAlive } from '@ducat/core/access/session-life';
import { type Onlooker, readOnlookers } from '../../../db/reports/dashboard/onlookers.ts';
import { walledReader } from '../../../db/tables/access/walls.ts';
import { createStreamPlaces } from '../../../http/stream-places.ts';
import { Outage } from '../../../runtime/outage.ts';
import type { DashboardDeps } from '../port.ts';
import { answerLive, type LiveAnswer, type LiveQuestion, readMarks } from './live-questions.ts';

export interface LiveStream {
  readonly stream: ServerResponse;
  readonly ip: string;
  readonly sessionId: string;
}

export interface LiveAnswers {
  /** Sends this answer, and each later one until the connection ends, is cut, or its person may not look any more. */
  open(question: LiveQuestion, answer: LiveAnswer, by: LiveStream): void;
  /** Ends all streams. */
  close(): void;
}

const POLL_MS = 1_000;
/** Everything is looked at so often although no mark has changed, and so are the sessions. */
const FULL_POLL_TICKS = 10;
/** Where many answers are made in one poll, sessions are looked at so often between them. */
const ONLOOKERS_MS = 10_000;
/** What keeps proxies from taking a quiet stream for a dead one. */
const HEARTBEAT_TICKS = 20;
const HEARTBEAT = Buffer.from(':\n\n');
/** A reader that is this far behind is cut; the page opens a new stream. */
const MAX_BEHIND_BYTES = 1_048_576;
const MAX_STREAMS = { maxStreamsPerAddress: 64, maxStreamsPerSubject: 64 };

interface Watched {
  readonly question: LiveQuestion;
  /** The streams with their sessions. */
  readonly streams: Map<ServerResponse, string>;
  mark: string;
  /** The answer as it was sent last, without its clock. */
  sent: string;
}

export function createLiveAnswers(deps: DashboardDeps): LiveAnswers {
  const watched = new Map<string, Watched>();
  const places = createStreamPlaces(MAX_STREAMS);
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  const run = async () => {
    for (let tick = 1; watched.size > 0 && !stopping.signal.aborted; tick++) {
      await deps.world.sleep(POLL_MS, stopping.signal);
      if (!stopping.signal.aborted) await poll(deps, watched, tick % FULL_POLL_TICKS === 0);
      if (tick % HEARTBEAT_TICKS === 0) for (const live of watched.values()) sendAll(live, HEARTBEAT);
    }
    running = null;
  };
  return {
    open(question, answer, { stream, ip, sessionId }) {
      // Its reader left while the answer was made: it never says so again.
      if (stream.destroyed) return;
      const subject = JSON.stringify(question);
      places.take(stream, { subject, ip });
      const live = watched.get(subject) ?? { question, streams: new Map(), mark: '', sent: textOf(answer) };
      watched.set(subject, live);
      // This answer may be older than what was sent to the others: the next poll sends to all.
      if (live.sent !== textOf(answer)) [live.sent, live.mark] = ['', ''];
      live.streams.set(stream, sessionId);
      stream.once('close', () => {
        live.streams.delete(stream);
        if (live.streams.size === 0) watched.delete(subject);
      });
      stream.write(eventOf(answer));
      running ??= run();
    },
    close() {
      stopping.abort();
      for (const { streams } of watched.values()) for (const stream of streams.keys()) stream.end();
    },
  };
}

async function poll(
  deps: DashboardDeps,
  watched: ReadonlyMap<string, Watched>,
  isFull: boolean,
): Promise<void> {
  try {
    if (isFull) await endOthers(deps, watched);
    let lookedAtMs = deps.world.nowMs();
    const marks = await readMarks(
      deps.reader,
      [...watched.values()].map(({ question }) => question),
    );
    for (const live of watched.values()) {
      const mark = marks(live.question);
      if (mark === live.mark && !isFull) continue;
      if (Math.abs(deps.world.nowMs() - lookedAtMs) >= ONLOOKERS_MS) {
        await endOthers(deps, watched);
        lookedAtMs = deps.world.nowMs();
      }
      await renew(deps, live);
      live.mark = mark;
    }
  } catch (error) {
    // The pages keep what they have, and what was missed is looked at by the next poll.
    if (error instanceof Outage) return;
    deps.logger.error({ err: error }, 'live pages of the dashboard were not renewed');
    if (error instanceof Bug) deps.onBug(error);
  }
}

/** Ends the streams of sessions that have ended, and of people who left the merchant. */
async function endOthers({ reader, world }: DashboardDeps, watched: ReadonlyMap<string, Watched>) {
  const open = [...watched.values()].flatMap(({ question, streams }) =>
    [...streams].map(([stream, sessionId]) => ({
      stream,
      sessionId,
      merchantId: question.request.merchant_id,
    })),
  );
  const nameOf = ({ sessionId, merchantId }: Onlooker) => `${sessionId} ${merchantId}`;
  const named = new Map(open.map((one) => [nameOf(one), one]));
  const nowMs = world.nowMs();
  const standing = await readOnlookers(reader, [...named.values()]);
  const alive = new Set(standing.filter((one) => isAlive(one, nowMs)).map(nameOf));
  for (const one of open) if (!alive.has(nameOf(one))) one.stream.end();
}

/** One answer, behind the wall of its merchant, for all streams that show it. */
async function renew(deps: DashboardDeps, live: Watched): Promise<void> {
  const { merchant_id: merchantId } = live.question.request;
  const reader = walledReader(deps.transact, merchantId);
  const result = await answerLive({ deps, nowMs: deps.world.nowMs(), merchantId, reader }, live.question);
  if (!result.ok) {
    for (const stream of live.streams.keys()) stream.end();
    return;
  }
  const text = textOf(result.value);
  if (text === live.sent) return;
  live.sent = text;
  sendAll(live, eventOf(result.value));
}

function sendAll({ streams }: Watched, bytes: Buffer): void {
  for (const stream of streams.keys()) {
    if (stream.writableEnded) continue;
    if (stream.writableLength > MAX_BEHIND_BYTES) stream.destroy();
    else stream.write(bytes);
  }
}

/** The clock alone is no change. */
function textOf(answer: LiveAnswer): string {
  return JSON.stringify({ ...answer, now: 0 });
}

/** Bytes that are made once for all streams of an answer. */
function eventOf(answer: LiveAnswer): Buffer {
  return Buffer.from(`data: ${JSON.stringify(answer)}\n\n`);
}
