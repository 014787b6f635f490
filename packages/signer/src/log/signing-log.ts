// The signing log on disk: appended and synced before anything that it records leaves the signer.
import { closeSync, fstatSync, fsyncSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from '../error-code.ts';
import { OperatorError } from '../operator-error.ts';
import { emptyHead, encodeEntry, type LogEvent, type LogHead } from './log-entry.ts';
import { type OnEntry, type ReplayedLog, replayLog } from './replay-log.ts';

export interface SigningLog {
  readonly head: () => LogHead;
  /** Returns once the entry is on the disk. Throws where the entry may be missing there; then nothing may be answered. */
  append(event: LogEvent, nowMs: number): void;
  close(): void;
}

export interface OpenedLog {
  readonly log: SigningLog;
  readonly replayed: ReplayedLog;
  /** Whether the file is the one that the log was begun or resumed in, and not a copy of it. */
  readonly isInPlace: boolean;
  /** The mark of the file. A copy of the file has another mark. */
  readonly file: string;
}

/** Makes a log with its first entries. Throws OperatorError 'log-exists'. */
export function createSigningLog(path: string, keyId: string, isFirst: boolean, nowMs: number): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const fd = openNew(path);
  try {
    const log = appendingLog(fd, emptyHead, 0);
    log.append({ event: 'begun', version: 1, keyId, file: fileMark(fd) }, nowMs);
    if (!isFirst) log.append({ event: 'safe-mode', reason: 'begun-again', seen: 0 }, nowMs);
  } finally {
    closeSync(fd);
  }
  syncFolder(dirname(path));
}

/** Opens a log, checks all of it, and cuts off a last line that a crash left half written. Throws OperatorError. */
export function openSigningLog(path: string): OpenedLog {
  const fd = openExisting(path, 'r+');
  try {
    const replayed = replayLog(fd);
    if (replayed.tornBytes > 0) {
      ftruncateSync(fd, replayed.wholeBytes);
      fsyncSync(fd);
    }
    const file = fileMark(fd);
    const log = appendingLog(fd, replayed.head, replayed.wholeBytes);
    return { log, replayed, isInPlace: file === replayed.file, file };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Reads a log without changing it. Throws OperatorError. */
export function verifySigningLog(path: string, onEntry?: OnEntry): ReplayedLog {
  const fd = openExisting(path, 'r');
  try {
    return replayLog(fd, onEntry);
  } finally {
    closeSync(fd);
  }
}

function appendingLog(fd: number, startHead: LogHead, startBytes: number): SigningLog {
  let head = startHead;
  let bytes = startBytes;
  let isBroken = false;
  return {
    head: () => head,
    append(event, nowMs) {
      // Another process has changed the file: our line would overwrite its line, or would not follow it.
      if (isBroken || fstatSync(fd).size !== bytes)
        throw new Error('The signing log was changed by another process.');
      const next = encodeEntry(head, event, nowMs);
      const line = Buffer.from(`${next.line}\n`, 'utf8');
      // Until the line is written and synced, the file may end in a part of it.
      isBroken = true;
      if (writeSync(fd, line, 0, line.length, bytes) !== line.length)
        throw new Error('The signing log took a part of a line.');
      fsyncSync(fd);
      isBroken = false;
      head = next.head;
      bytes += line.length;
    },
    close: () => closeSync(fd),
  };
}

/**
 * The inode number and the birth time of the file. The number alone is not enough, because a file system reuses the
 * number of a removed file.
 */
function fileMark(fd: number): string {
  const { ino, birthtimeNs } = fstatSync(fd, { bigint: true });
  return `${ino}-${birthtimeNs}`;
}

function openNew(path: string): number {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    throw new OperatorError('log-exists', `${path} already exists and is never overwritten.`);
  }
}

function openExisting(path: string, flags: 'r' | 'r+'): number {
  try {
    return openSync(path, flags);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    throw new OperatorError(
      'log-missing',
      `There is no signing log at ${path}. Make one with: ducat-signer begin-log`,
    );
  }
}

/** Makes the new name itself survive a power cut. Windows has no such call for folders. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
