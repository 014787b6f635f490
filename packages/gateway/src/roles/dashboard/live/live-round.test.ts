// A question that fails or is slow does not affect pages with other questions, and the number of questions is limited.
import { ServerResponse, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { goRound, type RoundWork } from './live-round.ts';
import { goFor, type Watched } from './watched.ts';

const stream = () => new ServerResponse(new IncomingMessage(new Socket()));

function watch(numbers: readonly number[], sessions: readonly string[] = []): Map<string, Watched> {
  const all = numbers.map((sequence, place) => {
    const request = { merchant_id: 'mer_1', trade_no: `ord_${sequence}` };
    const streams = new Map([[stream(), sessions[place] ?? 'ses_1']]);
    const fresh = { mark: '', sent: '', isDue: false, failures: 0, waits: 0 };
    return [
      `${sequence}`,
      { question: { name: 'orders.read', request }, streams, sequence, ...fresh },
    ] as const;
  });
  return new Map(all);
}

/** Answers, and returns which were answered and where it ended. */
async function round(
  watched: Map<string, Watched>,
  {
    after = 0,
    fails = 0,
    takesMs = 0,
    ...more
  }: Partial<RoundWork> & { after?: number; fails?: number; takesMs?: number },
) {
  const answered: number[] = [];
  let nowMs = 0;
  const ended = await goRound(watched, after, {
    isFull: false,
    marks: () => 'changed',
    onFailed: () => undefined,
    nowMs: () => nowMs,
    renew: async ({ sequence }) => {
      nowMs += takesMs;
      if (sequence === fails) throw new Error('it cannot be answered');
      answered.push(sequence);
    },
    ...more,
  });
  return { answered, ended };
}

// hits mark: one-live-question-fails-alone
it('goes on behind one that fails, and asks that one ever more rarely until it is answered', async () => {
  const watched = watch([1, 2, 3]);
  const errors: unknown[] = [];
  const onFailed = (error: unknown) => errors.push(error);
  expect(await round(watched, { fails: 1, onFailed })).toEqual({ answered: [2, 3], ended: 0 });
  for (let count = 0; count < 30; count++) await round(watched, { fails: 1, onFailed });
  // After 2, 4, 8 and 16 rounds.
  expect(errors).toHaveLength(4);
  for (let count = 0; count < 20; count++) await round(watched, {});
  expect(watched.get('1')).toMatchObject({ mark: 'changed', failures: 0 });
  expect(await round(watched, {})).toEqual({ answered: [], ended: 0 });
  expect(await round(watched, { isFull: true })).toEqual({ answered: [1, 2, 3], ended: 0 });
});

it('ends where it took long, and the next round begins with those that were left', async () => {
  const watched = watch([1, 2, 3, 4]);
  const first = await round(watched, { isFull: true, takesMs: 5_000 });
  expect(first).toEqual({ answered: [1, 2], ended: 2 });
  // Those behind are still due, and the one that changed again comes last.
  const again = { marks: () => 'changed', after: first.ended };
  watched.get('1')!.mark = 'older';
  expect(await round(watched, again)).toEqual({ answered: [3, 4, 1], ended: 0 });
  watched.delete('2');
  watched.get('3')!.isDue = true;
  expect(await round(watched, again)).toEqual({ answered: [3], ended: 0 });
});

// hits mark: live-questions-of-a-session
// hits mark: live-questions-of-a-merchant
it('lets the oldest question of a session go for its newest, and takes no more of a merchant', () => {
  const watched = watch([1, 2, 3], ['ses_1', 'ses_2', 'ses_1']);
  const [first] = watched.get('1')!.streams.keys();
  const newest = { subject: '9', merchantId: 'mer_1', sessionId: 'ses_1' };
  const bounds = { perSession: 2, perMerchant: 4 };
  expect(goFor(watched, newest, bounds)).toEqual([first]);
  expect(goFor(watched, newest, { ...bounds, perSession: 3 })).toEqual([]);
  // Another tab that shows the same.
  expect(goFor(watched, { ...newest, subject: '3' }, bounds)).toEqual([]);
  expect(goFor(watched, newest, { ...bounds, perMerchant: 3 })).toBe('new');
  expect(goFor(watched, { ...newest, merchantId: 'mer_2' }, { perSession: 9, perMerchant: 3 })).toEqual([]);
  expect(goFor(watched, { ...newest, subject: '2' }, { perSession: 3, perMerchant: 3 })).toEqual([]);
});
