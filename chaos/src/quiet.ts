// The end of a run: no more faults, everything heals, time passes, and nothing may be left on its way.
import { waitUntil } from '@ducat/devnet/process/wait-until';
import type { Load } from './load/load.ts';
import { readPassing, readStanding } from './reader/books.ts';
import { lastWordsOf } from './processes/role-process.ts';
import type { Stage } from './stage.ts';

/** Moves the chains' time past the expiry of every order of the run. */
const LEAP_S = 600;
const WITHIN_MS = 180_000;

/** Brings everything to rest. Throws with what is still on its way. */
export async function comeToRest(stage: Stage, load: Load): Promise<void> {
  for (const role of stage.roles) if (role.isFrozen) role.thaw();
  for (const receiver of stage.receivers) receiver.behave();
  await load.stop();
  for (const chain of stage.chains) await chain.leap(LEAP_S);
  let passing: readonly string[] = [];
  const isAtRest = async () => {
    await makeRetriesDue(stage);
    passing = await readPassing((sql, values) => stage.database.query(sql, values));
    return (await areSettled(stage)) && passing.length === 0;
  };
  try {
    await waitUntil('everything to come to rest', isAtRest, { timeoutMs: WITHIN_MS, everyMs: 200 });
  } catch (cause) {
    const standing = await readStanding((sql, values) => stage.database.query(sql, values));
    const said = [`still on its way: ${passing.join(', ')}`, ...standing, lastWordsOf(stage.roles)];
    throw new Error(said.join('\n'), { cause });
  }
}

async function areSettled({ chains, database }: Stage): Promise<boolean> {
  const cursors = await database.query<{ chain: string; final_number: string }>(
    'select chain, final_number from chain_cursors',
  );
  const settled = chains.map((chain) => {
    const cursor = cursors.find(({ chain: name }) => name === chain.name);
    return chain.isSettled(Number(cursor?.final_number ?? -1));
  });
  return (await Promise.all(settled)).every(Boolean);
}

/**
 * The waits of the retry schedule grow to hours, so here the next attempt is made due at once. Leases are respected: an
 * event that a dead notifier claimed waits for the end of its lease, and only then its next attempt is made due.
 */
export async function makeRetriesDue(stage: Pick<Stage, 'database'>): Promise<void> {
  await stage.database.query(
    `update events set next_attempt_at_ms = 0
     where state = 'pending' and coalesce(leased_until_ms, 0) < $1 and next_attempt_at_ms > 0`,
    [Date.now()],
  );
}
