// Which waiting transactions of a sender get its free nonces.
import { expect, it } from 'vitest';
import { refusalText } from './refusal.ts';
import { turnOf } from './turn.ts';

interface Waiting {
  readonly id: string;
  readonly trouble: string | null;
  readonly dueAt: number;
}

/** Those that begin with r were refused. */
const waiting = (ids: string, dueAt = 0): readonly Waiting[] =>
  ids
    .split(' ')
    .map((id) => ({ id, dueAt, trouble: id.startsWith('r') ? refusalText('limit-hour') : 'too dear' }));
const idsOf = (all: readonly Waiting[]) => all.map(({ id }) => id).join(' ');

it.each([
  ['a b c', 2, 'a b', ''],
  ['a b c', 5, 'a b c', ''],
  ['a r1 b c', 3, 'a b r1', ''],
  // Refused ones go alone, and last.
  ['r1 r2 a', 3, 'a r1', ''],
  ['r1 r2', 16, 'r1', ''],
  ['a b c r1', 2, 'a r1', ''],
  ['a b r1', 1, 'a', 'r1'],
  ['r1 r2 a b', 1, 'r1', 'a'],
  ['r1 a r2', 0, '', 'a r1'],
])('of %s with %i free nonces are %s', (ids, room, tried, next) => {
  const turn = turnOf(waiting(ids), room);
  expect([idsOf(turn.tried), idsOf(turn.next)]).toEqual([tried, next]);
});

it('are of both kinds where one nonce at a time becomes free, however many more come', () => {
  let queue = waiting('a r1 r2 b');
  const tried: string[] = [];
  for (let now = 0; now < 8; now++) {
    queue = [...queue, ...waiting(`n${now} r-${now}`, now)].toSorted((one, other) => one.dueAt - other.dueAt);
    const turn = turnOf(queue, 1);
    tried.push(idsOf(turn.tried));
    // As the payer puts them off.
    queue = queue
      .filter((one) => !turn.tried.includes(one))
      .map((one) => (turn.next.includes(one) ? one : { ...one, dueAt: now + 1 }));
  }
  expect(tried.map((id) => id.startsWith('r'))).toEqual(Array(4).fill([false, true]).flat());
});
