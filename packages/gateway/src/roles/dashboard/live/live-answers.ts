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
import { goRound } from './live-round.ts';
import { goFor, LIVE_BOUNDS, type Watched, type WatchedList } from './watched.ts';

export interface LiveStream {
  readonly stream: ServerResponse;
  readonly ip: string;
  readonly sessionId: string;
}

export interface LiveAnswers {
  /** Sends this answer and each later one. Ends when the connection ends or is cut, or when the person loses access. */
  open(question: LiveQuestion, answer: LiveAnswer, by: LiveStream): void;
  /** Ends all streams. */
  close(): void;
}

const POLL_MS = 1_000;
/** After this many polls, all answers are made anew although no mark has changed, and all sessions are checked. */
const FULL_POLL_TICKS = 10;
/** Sessions are checked at least this often, also where answers take long. */
const ONLOOKERS_MS = 10_000;
/** After this many polls a heartbeat is sent, so that proxies do not take a quiet stream for a dead one. */
const HEARTBEAT_TICKS = 20;
const HEARTBEAT = Buffer.from(':\n\n');
/** Sent before a stream is cut: the page polls meanwhile, and opens a stream again after this time. */
const CUT = Buffer.from('retry: 60000\n\n');
/** A reader that is this far behind is cut; the page opens a new stream. */
const MAX_BEHIND_BYTES = 1_048_576;
const MAX_STREAMS = { maxStreamsPerAddress: 64, maxStreamsPerSubject: 64 };

export function createLiveAnswers(deps: DashboardDeps): LiveAnswers {
  const watched = new Map<string, Watched>();
  const poll = createPoll(deps, watched);
  let sequence = 0;
  const places = createStreamPlaces(MAX_STREAMS);
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  const run = async () => {
    for (let tick = 1; watched.size > 0 && !stopping.signal.aborted; tick++) {
      await deps.world.sleep(POLL_MS, stopping.signal);
      if (!stopping.signal.aborted) await poll(tick % FULL_POLL_TICKS === 0);
      if (tick % HEARTBEAT_TICKS === 0) for (const live of watched.values()) sendAll(live, HEARTBEAT);
    }
    running = null;
  };
  return {
    open(question, answer, { stream, ip, sessionId }) {
      // The browser left while the answer was made. The stream has emitted 'close' already and does not emit it again.
      if (stream.destroyed) return;
      const subject = JSON.stringify(question);
      const { merchant_id: merchantId } = question.request;
      const goes = goFor(watched, { subject, merchantId, sessionId }, LIVE_BOUNDS);
      if (goes === 'new') {
        stream.end(Buffer.concat([eventOf(answer), CUT]));
        return;
      }
      for (const one of goes) one.end(CUT);
      places.take(stream, { subject, ip });
      const live = watched.get(subject) ?? newlyWatched(question, ++sequence, textOf(answer));
      watched.set(subject, live);
      // This answer may be older than the one that the other streams have. The next poll therefore sends to all.
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

function newlyWatched(question: LiveQuestion, sequence: number, sent: string): Watched {
  return { question, streams: new Map(), sequence, mark: '', sent, isDue: false, failures: 0, waits: 0 };
}

function createPoll(deps: DashboardDeps, watched: WatchedList): (isFull: boolean) => Promise<void> {
  const { reader, logger, world } = deps;
  const onFailed = (error: unknown): void => {
    if (error instanceof Outage) return;
    logger.error({ err: error }, 'a live page of the dashboard was not renewed');
    if (error instanceof Bug) deps.onBug(error);
  };
  let after = 0;
  let lookedAtMs = world.nowMs();
  return async (isFull) => {
    try {
      if (isFull || Math.abs(world.nowMs() - lookedAtMs) >= ONLOOKERS_MS) {
        await endOthers(deps, watched);
        lookedAtMs = world.nowMs();
      }
      const marks = await readMarks(
        reader,
        [...watched.values()].map(({ question }) => question),
      );
      const renewed = (live: Watched) => renew(deps, live);
      after = await goRound(watched, after, {
        isFull,
        marks,
        renew: renewed,
        onFailed,
        nowMs: () => world.nowMs(),
      });
    } catch (error) {
      // The next poll covers what this one missed.
      onFailed(error);
    }
  };
}

/** Ends the streams of sessions that have ended, and of people who left the merchant. */
async function endOthers({ reader, world }: DashboardDeps, watched: WatchedList) {
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

/** Makes one answer, by a reader walled to its merchant, for all streams that show it. */
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

/** The answer without its clock, because a new time alone is no change. */
function textOf(answer: LiveAnswer): string {
  return JSON.stringify({ ...answer, now: 0 });
}

/** Bytes that are made once for all streams of an answer. */
function eventOf(answer: LiveAnswer): Buffer {
  return Buffer.from(`data: ${JSON.stringify(answer)}\n\n`);
}
