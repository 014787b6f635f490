// The log after crashes, copies, restores and manual changes: nothing is signed that contradicts a lost part of the log.
import {
  appendFileSync,
  copyFileSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runResume } from '../log-commands.ts';
import { evmPayout, openSigningPlace, type SigningPlace, startMs } from '../testing/signing-place.ts';
import { createSigningLog, openSigningLog, verifySigningLog } from './signing-log.ts';

let place: SigningPlace;
beforeEach(() => {
  place = openSigningPlace();
});
afterEach(() => place.remove());

const backupOf = () => `${place.logPath}.backup`;

/** Restores the backup: puts it in the place of the log, under the same name. */
function restore(): void {
  place.signer().close();
  rmSync(place.logPath);
  copyFileSync(backupOf(), place.logPath);
  place.reopenClosed();
}

function resume(): void {
  place.signer().close();
  runResume({ log: place.logPath }, place.clock.nowMs);
  place.reopenClosed();
}

describe('a signing log', () => {
  it('drops a last line that a crash cut, for which no client was answered, and goes on', () => {
    place.ask(evmPayout('a', 0));
    const before = readFileSync(place.logPath);
    place.ask(evmPayout('b', 1));
    truncateSync(place.logPath, before.length + 40);
    expect(verifySigningLog(place.logPath)).toMatchObject({ signed: 1, tornBytes: 40 });
    place.reopen();
    expect(readFileSync(place.logPath)).toEqual(before);
    expect(place.ask(evmPayout('c', 1))).toMatchObject({ outcome: 'signed', logSequence: 3 });
    expect(verifySigningLog(place.logPath)).toMatchObject({ signed: 2, tornBytes: 0 });
  });

  it.each([
    ['one letter is another', (text: string) => text.replace('"baseUnits":"100"', '"baseUnits":"900"')],
    ['an entry is missing', (text: string) => text.split('\n').toSpliced(1, 1).join('\n')],
    [
      'two entries changed places',
      (text: string) =>
        text
          .split('\n')
          .toSpliced(1, 2, ...text.split('\n').slice(1, 3).toReversed())
          .join('\n'),
    ],
    ['a line is not JSON', (text: string) => `${text}{}\n`],
    ['it is empty', () => ''],
  ])('is refused when %s', (_what, change) => {
    place.ask(evmPayout('a', 0));
    place.ask(evmPayout('b', 1));
    writeFileSync(place.logPath, change(readFileSync(place.logPath, 'utf8')));
    expect(() => verifySigningLog(place.logPath)).toThrow(expect.objectContaining({ code: 'log-damaged' }));
    expect(() => openSigningLog(place.logPath)).toThrow(expect.objectContaining({ code: 'log-damaged' }));
  });

  it('is never overwritten, and belongs to one seed', () => {
    expect(() => createSigningLog(place.logPath, 'ab', true, 0)).toThrow(
      expect.objectContaining({ code: 'log-exists' }),
    );
    expect(statSync(place.logPath).mode & 0o077).toBe(0);
  });

  it('takes no more entries after another process wrote one', () => {
    appendFileSync(place.logPath, '\n');
    expect(() => place.ask(evmPayout('a', 0))).toThrow('changed by another process');
  });
});

describe('a signer whose log came from a backup', () => {
  it('signs nothing new until a person resumes it, and answers what it knows', () => {
    const known = place.ask(evmPayout('a', 0));
    copyFileSync(place.logPath, backupOf());
    place.ask(evmPayout('b', 1));
    restore();
    expect(place.signer().isSafeMode()).toBe(true);
    // This payout was signed after the backup, with another nonce. The old log has no entry of it.
    expect(place.ask(evmPayout('b', 2))).toMatchObject({ outcome: 'refused', reason: 'safe-mode' });
    expect(place.ask(evmPayout('a', 0))).toMatchObject({ bytes: 'bytes' in known ? known.bytes : '' });
    resume();
    expect(place.ask(evmPayout('c', 2))).toMatchObject({ outcome: 'signed' });
  });

  it('notices an older log in the same file by a client that has seen more', () => {
    copyFileSync(place.logPath, backupOf());
    const { logSequence } = place.ask(evmPayout('a', 0));
    place.signer().close();
    writeFileSync(place.logPath, readFileSync(backupOf()));
    place.reopenClosed();
    expect(place.signer().isSafeMode()).toBe(false);
    expect(place.ask(evmPayout('a', 1), logSequence)).toMatchObject({ reason: 'safe-mode' });
    // From now on other clients get no signature either, also after a restart.
    place.reopen();
    expect(place.ask(evmPayout('z', 5))).toMatchObject({ reason: 'safe-mode' });
    // Once resumed, the log continues after the position that the client has seen, so that the next old copy is noticed
    // too.
    resume();
    const resumed = place.ask(evmPayout('b', 1), logSequence + 20);
    expect(resumed).toMatchObject({ reason: 'safe-mode' });
    resume();
    const after = place.ask(evmPayout('b', 1), logSequence + 20);
    expect(after).toMatchObject({ outcome: 'signed' });
    expect(after.logSequence).toBeGreaterThan(logSequence + 20);
    expect(place.ask(evmPayout('c', 2), 2 ** 50)).toMatchObject({ reason: 'malformed' });
    expect(place.signer().isSafeMode()).toBe(false);
  });

  it('is not closed for ever by a clock that once was years ahead', () => {
    const YEARS_MS = 10 ** 11;
    place.clock.nowMs += YEARS_MS;
    for (const nonce of [0, 1, 2, 3]) place.ask(evmPayout(`p${nonce}`, nonce, { baseUnits: 500n }));
    place.clock.nowMs -= YEARS_MS;
    const next = evmPayout('next', 4, { baseUnits: 500n });
    place.clock.nowMs += 3_600_001;
    expect(place.ask(next)).toMatchObject({ reason: 'limit-hour' });
    resume();
    // From then on the limits count again, with everything that was signed in the last hour of the wrong clock.
    expect(place.ask(next)).toMatchObject({ reason: 'limit-hour' });
    place.clock.nowMs += 3_600_001;
    expect(place.ask(next)).toMatchObject({ outcome: 'signed' });
  });

  it('begins in safe mode where the log is new and the seed may not be', () => {
    place.remove();
    place = openSigningPlace({ first: false });
    expect(place.ask(evmPayout('a', 0))).toMatchObject({ reason: 'safe-mode' });
    expect(verifySigningLog(place.logPath)).toMatchObject({
      isSafeMode: true,
      refused: 1,
      head: { atMs: startMs },
    });
  });
});
