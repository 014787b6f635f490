// Shows what a journal gives back after clean and torn writes.
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JournalEntry } from './chain-journal.ts';
import { openJournal, readJournal } from './chain-journal.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ducat-journal-'));
  path = join(folder, 'j.journal');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const entries: JournalEntry[] = [
  { kind: 'tx', raw: '0x02ab' },
  { kind: 'block', number: 1, timestamp: 1_700_000_000 },
  { kind: 'mined', number: 1, hash: '0xff' },
];

describe('readJournal', () => {
  it('gives back what was appended, and nothing for a missing file', () => {
    expect(readJournal(path)).toEqual([]);
    write(entries);
    expect(readJournal(path)).toEqual(entries);
  });

  it('drops a torn last line, also when it cuts a number short, and the journal goes on after it', () => {
    write(entries);
    const whole = readFileSync(path);
    appendFileSync(path, '{"kind":"block","number":2,"timestamp":17');
    expect(readJournal(path)).toEqual(entries);
    expect(readFileSync(path)).toEqual(whole);
    write([{ kind: 'tx', raw: '0x01' }]);
    expect(readJournal(path)).toHaveLength(4);
  });

  it('refuses a damaged line in the middle', () => {
    appendFileSync(path, '{"kind":"tx"\n{"kind":"tx","raw":"0x01"}\n');
    expect(() => readJournal(path)).toThrow('line 1 is not readable');
    rmSync(path);
    appendFileSync(path, '{"kind":"tx","raw":"hello"}\n');
    expect(() => readJournal(path)).toThrow('line 1: expected hexadecimal');
  });
});

function write(list: readonly JournalEntry[]): void {
  const journal = openJournal(path);
  journal.append(list);
  journal.close();
}
