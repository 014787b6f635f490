// The journal of a durable chain: every transaction and block, in the order in which the node received them.
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  openSync,
  readFileSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder } from '../process/durable-file.ts';
import { asHex } from '../evm/json-rpc.ts';

/**
 * `tx`, `block` and `rollback` are orders, written before they are carried out. `mined` records the result of a block.
 * The `number` of a rollback is the block that is the head afterwards.
 */
export type JournalEntry =
  | { readonly kind: 'tx'; readonly raw: `0x${string}` }
  | { readonly kind: 'block'; readonly number: number; readonly timestamp: number }
  | { readonly kind: 'rollback'; readonly number: number; readonly depth: number }
  | { readonly kind: 'mined'; readonly number: number; readonly hash: `0x${string}` };

/** An open journal. */
export interface Journal {
  /** Appends entries and returns once they are on the disk. */
  append(entries: readonly JournalEntry[]): void;
  /** Appends an entry whose loss does no harm, without waiting for the disk. */
  note(entry: JournalEntry): void;
  close(): void;
}

/** Opens a journal at its end, creating it when missing. Call `readJournal` first: it removes a torn last line. */
export function openJournal(path: string): Journal {
  const isNew = !existsSync(path);
  const file = openSync(path, 'a', 0o600);
  if (isNew) syncFolder(dirname(path));
  const write = (entries: readonly JournalEntry[]) => {
    const bytes = Buffer.from(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
  };
  return {
    append: (entries) => {
      write(entries);
      fdatasyncSync(file);
    },
    note: (entry) => write([entry]),
    close: () => closeSync(file),
  };
}

/**
 * Reads all entries. A last line without its line end was cut off by a crash in the middle of a write. No client has an
 * answer about it, so it is removed. Any other unreadable line throws.
 */
export function readJournal(path: string): JournalEntry[] {
  if (!existsSync(path)) return [];
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf('\n') + 1;
  if (end < bytes.length) truncateSync(path, end);
  const lines = bytes.subarray(0, end).toString('utf8').split('\n').slice(0, -1);
  return lines.map((line, index) => parseEntry(line, `${path} line ${index + 1}`));
}

function parseEntry(line: string, where: string): JournalEntry {
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    throw new Error(`${where} is not readable`);
  }
  if (typeof entry === 'object' && entry !== null && 'kind' in entry) {
    if (entry.kind === 'tx' && 'raw' in entry) return { kind: 'tx', raw: asHex(entry.raw, where) };
    if ('number' in entry && typeof entry.number === 'number') {
      const { number } = entry;
      if (entry.kind === 'block' && 'timestamp' in entry && typeof entry.timestamp === 'number') {
        return { kind: 'block', number, timestamp: entry.timestamp };
      }
      if (entry.kind === 'rollback' && 'depth' in entry && typeof entry.depth === 'number')
        return { kind: 'rollback', number, depth: entry.depth };
      if (entry.kind === 'mined' && 'hash' in entry)
        return { kind: 'mined', number, hash: asHex(entry.hash, where) };
    }
  }
  throw new Error(`${where} has an unknown shape`);
}
