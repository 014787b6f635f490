// Reads a signing log from its first line to its last, checks the chain, and rebuilds what the signer knows from it.
import { readSync } from 'node:fs';
import { readIntent } from '@ducat/core/signing/intent-record';
import { OperatorError } from '../operator-error.ts';
import { addSigned, emptyState, type SigningState } from '../policy/signing-state.ts';
import { decodeEntry, emptyHead, type LogHead } from './log-entry.ts';

export interface ReplayedLog {
  readonly head: LogHead;
  readonly keyId: string;
  /** The mark of the file that the log was begun or resumed in. A copy of the file has another mark. */
  readonly file: string;
  readonly isSafeMode: boolean;
  /** The latest position that a client has seen beyond ours. */
  readonly seen: number;
  /**
   * Clients are given the sequence plus this offset. A log that lost entries is behind the positions that clients have
   * seen. Once a person resumes it, the offset makes up the difference, so that positions never go back.
   */
  readonly offset: number;
  readonly signed: number;
  readonly refused: number;
  readonly state: SigningState;
  /** Bytes up to the end of the last whole line. */
  readonly wholeBytes: number;
  /** Bytes of a last line that a crash cut off. Its request was never answered. */
  readonly tornBytes: number;
}

const chunkBytes = 1024 * 1024;
const newline = 0x0a;

/** Is given each entry once it is checked, and the head that it became. */
export type OnEntry = (entry: Readonly<Record<string, unknown>>, head: LogHead) => void;

interface Progress {
  head: LogHead;
  keyId: string;
  file: string;
  isSafeMode: boolean;
  seen: number;
  offset: number;
  signed: number;
  refused: number;
  readonly state: SigningState;
}

/** `fd` is open for reading. Throws OperatorError 'log-damaged', which names the line. */
export function replayLog(fd: number, onEntry: OnEntry = () => undefined): ReplayedLog {
  const progress: Progress = {
    head: emptyHead,
    keyId: '',
    file: '',
    isSafeMode: false,
    seen: 0,
    offset: 0,
    signed: 0,
    refused: 0,
    state: emptyState(),
  };
  let rest: Buffer = Buffer.alloc(0);
  let position = 0;
  for (;;) {
    const chunk = Buffer.alloc(chunkBytes);
    const read = readSync(fd, chunk, 0, chunkBytes, position);
    if (read === 0) break;
    position += read;
    rest = takeLines(progress, Buffer.concat([rest, chunk.subarray(0, read)]), onEntry);
  }
  if (progress.head.sequence === 0) throw damaged(1);
  return { ...progress, wholeBytes: position - rest.length, tornBytes: rest.length };
}

/** Takes the whole lines of `bytes` and gives what is left. */
function takeLines(progress: Progress, bytes: Buffer, onEntry: OnEntry): Buffer {
  let start = 0;
  for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
    onEntry(takeLine(progress, bytes.toString('utf8', start, end)), progress.head);
    start = end + 1;
  }
  return bytes.subarray(start);
}

function takeLine(progress: Progress, line: string): Readonly<Record<string, unknown>> {
  const number = progress.head.sequence + 1;
  const decoded = decodeEntry(progress.head, line);
  if (decoded === null || !takeEntry(progress, decoded.entry, decoded.head.atMs)) throw damaged(number);
  progress.head = decoded.head;
  return decoded.entry;
}

/** False where a signer never writes such an entry at this place. */
function takeEntry(progress: Progress, entry: Readonly<Record<string, unknown>>, atMs: number): boolean {
  const { event, keyId, file, from, seen } = entry;
  if ((event === 'begun') !== (progress.head.sequence === 0)) return false;
  switch (event) {
    case 'begun':
      if (entry['version'] !== 1 || typeof keyId !== 'string' || typeof file !== 'string') return false;
      Object.assign(progress, { keyId, file });
      return true;
    case 'safe-mode':
      if (typeof seen !== 'number') return false;
      Object.assign(progress, { isSafeMode: true, seen: Math.max(progress.seen, seen) });
      return true;
    case 'resumed': {
      if (typeof file !== 'string') return false;
      const offset = Math.max(progress.offset, progress.seen - progress.head.sequence);
      Object.assign(progress, { file, isSafeMode: false, offset });
      progress.state.spendings.notAfter(atMs);
      return true;
    }
    case 'signed': {
      const intent = readIntent(entry['intent']);
      if (intent === null || typeof from !== 'string') return false;
      addSigned(progress.state, { intent, from }, atMs);
      progress.signed += 1;
      return true;
    }
    case 'refused':
      progress.refused += 1;
      return true;
    default:
      return false;
  }
}

function damaged(line: number): OperatorError {
  return new OperatorError(
    'log-damaged',
    `Line ${line} of the signing log is not what was written there. Nothing is signed from it; docs/operate/keys.md says what to do.`,
  );
}
