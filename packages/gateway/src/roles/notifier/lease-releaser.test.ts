// Shows that leases are released one statement at a time, beside the loop, and that a bug in it is not lost.
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { describe, expect, it } from 'vitest';
import { Outage } from '../../runtime/outage.ts';
import type { SqlValue, Transact, Tx } from '../../db/postgres/tx.ts';
import { createHandClock } from '@ducat/testkit/hand-clock';
import { ClaimedQueues } from './claimed-queues.ts';
import { defaultNotifierLimits } from './parts.ts';
import { LeaseReleaser } from './lease-releaser.ts';

/** A releaser whose statements are kept until they are let go. */
function open() {
  const clock = createHandClock(0);
  const claimed = new ClaimedQueues(defaultNotifierLimits, clock, () => Promise.resolve());
  const sent: { readonly ids: SqlValue; answer(): void; fail(error: unknown): void }[] = [];
  const write = (_: string, [ids]: readonly SqlValue[]) =>
    new Promise<readonly unknown[]>((resolve, reject) => {
      sent.push({ ids: ids ?? null, answer: () => resolve([]), fail: reject });
    });
  // A statement that waits for the test stands in for a slow database.
  const transact: Transact = (flow) => flow({ read: write, write } as unknown as Tx);
  const troubles: string[] = [];
  const observer = {
    onAttempt: () => undefined,
    onDied: () => undefined,
    onBroken: () => undefined,
    onTrouble: (where: string) => troubles.push(where),
  };
  const releaser = new LeaseReleaser(
    { transact, observer, world: clock, limits: defaultNotifierLimits },
    claimed,
  );
  const notSent = (eventId: string) => {
    const texts = {
      appId: 'app_1',
      receiver: 'shop.test',
      tradeNo: 'ord_1',
      status: 'PAID',
      url: '',
      body: '',
    };
    claimed.notSent({ eventId, ...texts, attempt: 1, scheduledAttempt: 1, dueAtMs: 0 });
  };
  return { claimed, releaser, sent, troubles, notSent };
}

describe('a release', () => {
  it('is begun again only when it has ended, with all that was not sent by then', async () => {
    const { releaser, sent, notSent } = open();
    notSent('a');
    releaser.start();
    for (const id of ['b', 'c']) notSent(id);
    releaser.start();
    expect(sent.map(({ ids }) => ids)).toEqual([['a']]);
    const finished = releaser.finish();
    sent[0]!.answer();
    await waitUntil('the second statement', () => sent.length === 2);
    expect(sent[1]!.ids).toEqual(['b', 'c']);
    sent[1]!.answer();
    await finished;
  });

  it('is left to the lease in an outage, and a bug comes up in the loop', async () => {
    const { claimed, releaser, sent, troubles, notSent } = open();
    notSent('a');
    releaser.start();
    sent[0]!.fail(new Outage('away', { retryable: true }));
    await releaser.finish();
    expect(troubles).toEqual(['release']);
    claimed.throwBug();
    notSent('b');
    const finished = releaser.finish();
    await waitUntil('the second statement', () => sent.length === 2);
    sent[1]!.fail(new Error('no such column'));
    await finished;
    expect(() => claimed.throwBug()).toThrow('no such column');
  });
});
