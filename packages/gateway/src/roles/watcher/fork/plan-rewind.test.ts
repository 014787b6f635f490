// A chain that halted on a deep fork is led to the branch of the quorum, from the last common block on.
import { afterEach, expect, it } from 'vitest';
import { WatchStage } from '@ducat/testkit/watcher/watch-stage';
import { resumeChain } from '../../../flows/blocks/resume-chain.ts';
import { rewindChain } from '../../../flows/blocks/rewind-chain.ts';
import { planRewind } from './plan-rewind.ts';

let stage: WatchStage;
afterEach(() => stage.close());

it('goes on from the last block on which books and quorum agree, where nothing was booked behind it', async () => {
  stage = await WatchStage.open();
  const { chain, reader, watch, database } = stage;
  const plan = (chosen: number | null = null) =>
    planRewind({ chain: reader, reader: database.reader, chosen });
  expect(await plan()).toEqual({ outcome: 'nothing-final' });
  chain.mineEmpty(8);
  await stage.rest();
  expect((await stage.cursor()).finalNumber).toBe(6);
  expect(await plan()).toEqual({ outcome: 'no-fork', finalNumber: 6 });
  // The provider follows a branch that has other blocks from 4 on.
  const branch = chain.split(5);
  branch.mineEmpty(8);
  chain.main.follow(branch);
  expect(await stage.rest()).toBe('halted');
  const planned = await plan();
  if (planned.outcome !== 'planned') throw new Error(planned.outcome);
  expect(planned.plan).toEqual({
    head: { number: 8, hash: chain.header(8).hash },
    finalNumber: 6,
    ancestor: { number: 3, hash: chain.header(3).hash },
    booked: [],
    target: chain.header(3),
    isSkipping: false,
  });
  // A person chooses a height above a booked payment that came again. A quorum has to call that height final as well.
  expect(await plan(8)).toMatchObject({ plan: { target: branch.header(8), isSkipping: true } });
  expect(await plan(99)).toEqual({ outcome: 'not-yet', needed: 99, final: 9 });

  const { head, target, ancestor } = planned.plan;
  const rewind = {
    chain: 'ETH',
    tipHash: head.hash,
    target,
    ancestor,
    by: 'Ada',
    reason: 'a fork',
    nowMs: stage.nowMs,
  };
  expect(await watch.transact((tx) => rewindChain(tx, rewind))).toMatchObject({ outcome: 'rewound' });
  await watch.transact((tx) => resumeChain(tx, 'ETH', stage.nowMs));
  expect(await stage.rest()).toBe('idle');
  const { head: newHead, finalNumber } = await stage.cursor();
  expect(newHead?.hash).toBe(branch.header(branch.height).hash);
  expect(await plan()).toEqual({ outcome: 'no-fork', finalNumber });
});
