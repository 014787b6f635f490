// One line of the signing log: what happened, and the hash that binds it to all lines before it.
import { createHash } from 'node:crypto';
import type { SignRefusal } from '@ducat/core/signing/sign-answer';

/**
 * `copied`: the file is a copy of the one that the log was written to. `behind`: a client has seen a later position
 * than the log has.
 */
type SafeModeReason = 'begun-again' | 'copied' | 'behind';

export type LogEvent =
  /** The first entry of every log. `file` distinguishes this file from a copy of it. */
  | { readonly event: 'begun'; readonly version: 1; readonly keyId: string; readonly file: string }
  /** `seen` is the position that a client has seen; 0 where that is not the reason. */
  | { readonly event: 'safe-mode'; readonly reason: SafeModeReason; readonly seen: number }
  | { readonly event: 'resumed'; readonly file: string }
  | {
      readonly event: 'signed';
      readonly client: string;
      readonly intent: Readonly<Record<string, unknown>>;
      readonly txId: string;
      readonly from: string;
    }
  | {
      readonly event: 'refused';
      readonly client: string;
      readonly reason: SignRefusal;
      /** Null where the params were no intent. */
      readonly intent: Readonly<Record<string, unknown>> | null;
      readonly paramsSha256: string;
    };

/** The end of a log, which the next entry follows. */
export interface LogHead {
  /** Entries so far; the first is number 1. */
  readonly sequence: number;
  /** The hash of the newest entry, 64 hex digits; zeros before the first entry. */
  readonly hash: string;
  /** Unix milliseconds of the newest entry. */
  readonly atMs: number;
}

export const emptyHead: LogHead = { sequence: 0, hash: '0'.repeat(64), atMs: 0 };

/**
 * The line of an event that follows `head`, without its line break, and the new head. The time of an entry is never
 * before the time of `head`. Only a `resumed` entry may go back: without it, one wrong clock would hold the log at a
 * future time until that day.
 */
export function encodeEntry(head: LogHead, event: LogEvent, nowMs: number): { line: string; head: LogHead } {
  const atMs = event.event === 'resumed' ? nowMs : Math.max(nowMs, head.atMs);
  const body = { sequence: head.sequence + 1, atMs, previous: head.hash, ...event };
  const hash = hashOf(body);
  return { line: JSON.stringify({ ...body, hash }), head: { sequence: body.sequence, hash, atMs } };
}

/** The entry of a line and the new head. Null where the line is not, bit for bit, what was written after `head`. */
export function decodeEntry(
  head: LogHead,
  line: string,
): { entry: Readonly<Record<string, unknown>>; head: LogHead } | null {
  const value = parse(line);
  if (value === null || JSON.stringify(value) !== line) return null;
  const { hash, ...body } = value;
  const { sequence, atMs, previous } = body;
  const follows = sequence === head.sequence + 1 && previous === head.hash;
  if (!follows || typeof atMs !== 'number' || hash !== hashOf(body)) return null;
  if (atMs < head.atMs && body['event'] !== 'resumed') return null;
  return { entry: body, head: { sequence: head.sequence + 1, hash, atMs } };
}

function hashOf(body: object): string {
  return createHash('sha256').update(JSON.stringify(body)).digest('hex');
}

function parse(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? { ...value } : null;
  } catch {
    return null;
  }
}
