// Shows when a call is given up: ten looks after the last answer to any client, and not while clients are answered.
import { createHandClock } from '@ducat/testkit/hand-clock';
import { expect, it } from 'vitest';
import { Outage } from '../../runtime/outage.ts';
import { DatabaseAway, watchDatabase } from './database-away.ts';

const LOOK_MS = 250;

it('gives up what waits for a silent database, and nothing while it answers anybody', async () => {
  const clock = createHandClock(0);
  const watch = watchDatabase(clock);
  const answers: ((rows: readonly never[]) => void)[] = [];
  const reader = watch.reader({ read: () => new Promise((done) => void answers.push(done)) });
  const ended: string[] = [];
  const ask = (name: string) =>
    reader.read(name, []).then(
      () => void ended.push(`${name} answered`),
      (error: unknown) => void ended.push(error instanceof DatabaseAway ? `${name} away` : String(error)),
    );
  const pass = async (looks: number) => {
    for (let n = 0; n < looks; n++) {
      const before = clock.asked.length;
      clock.advance(LOOK_MS);
      await expect.poll(() => clock.asked.length > before || ended.length > 1).toBe(true);
    }
  };
  const all = [ask('slow'), ask('quick')];
  await pass(9);
  answers[1]?.([]);
  await all[1];
  await pass(10);
  expect(ended).toEqual(['quick answered']);
  clock.advance(LOOK_MS);
  await all[0];
  expect(ended).toEqual(['quick answered', 'slow away']);
});

it('calls each outage of the database by that name, and nothing else', async () => {
  const watch = watchDatabase(createHandClock(0));
  const failing = (error: Error) => watch.reader({ read: () => Promise.reject(error) }).read('', []);
  await expect(failing(new Outage('away'))).rejects.toBeInstanceOf(DatabaseAway);
  await expect(failing(new TypeError('wrong'))).rejects.toBeInstanceOf(TypeError);
});
