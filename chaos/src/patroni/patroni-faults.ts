// Faults of a Patroni cluster under load. After each one everything has to go on before the cluster is made whole again.
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { untilOrderWaits } from '../faults/fail-over.ts';
import type { Hand } from '../faults/fault.ts';
import type { Load } from '../load/load.ts';
import { untilProgress } from '../progress.ts';
import type { Member } from './member.ts';
import { SITES } from './member.ts';
import type { PatroniStage } from './patroni-stage.ts';

type PatroniFaults = Readonly<Record<string, (hand: Hand<PatroniStage>, load: Load) => Promise<void>>>;

/** The share of leaders' machines that are lost while their standbys receive nothing from them. */
const HELD = 0.7;
const DEPOSED_WITHIN_MS = 60_000;

/** The leader is lost, or gives up the lead. */
export const leaderFaults: PatroniFaults = {
  'the machine of the leader lost': loseLeader,
  'the machine of the leader frozen beyond its lease': freezeLeader,
  'kill -9 PostgreSQL of the leader': killPostgres,
  switchover: switchOver,
};

export const networkFaults: PatroniFaults = { 'network split, the leader on the small side': split };

export const otherFaults: PatroniFaults = {
  'the machine of a standby lost': loseStandby,
  'kill -9 etcd, started again': loseEtcd,
};

export const patroniFaults: PatroniFaults = { ...leaderFaults, ...networkFaults, ...otherFaults };

/** The hits are COMMITs that wait for a standby and are lost with the machine. There are none unless its stream was held. */
async function loseLeader(hand: Hand<PatroniStage>, load: Load): Promise<void> {
  const { stage, chance, hit } = hand;
  const leader = await stage.database.untilLeader();
  const { peers } = leader.lines;
  if (chance.happens(HELD)) {
    peers.setTrouble({ hold: true });
    hit(await untilOrderWaits(stage));
  }
  const goesOn = clockOf(hand, load, 'the machine of the leader lost');
  await leader.machine.kill();
  peers.cut();
  peers.setTrouble({});
  await goesOn();
  leader.machine.start();
  await stage.database.untilWhole();
}

/** The leader wakes up knowing of no other leader, with sessions in the middle of their transactions. */
async function freezeLeader(hand: Hand<PatroniStage>, load: Load): Promise<void> {
  const { database } = hand.stage;
  const leader = await database.untilLeader();
  const goesOn = clockOf(hand, load, 'the machine of the leader frozen');
  leader.machine.freeze();
  await untilDeposed(hand, leader);
  leader.machine.thaw();
  await goesOn();
  await database.untilWhole();
}

/** Patroni starts PostgreSQL again or lets another member lead. The run counts which of the two it did. */
async function killPostgres(hand: Hand<PatroniStage>, load: Load): Promise<void> {
  const { database } = hand.stage;
  const leader = await database.untilLeader();
  const goesOn = clockOf(hand, load, 'PostgreSQL of the leader killed');
  leader.machine.killProgram('postgres');
  await goesOn();
  await database.untilWhole();
  await noteLeader(hand, leader);
}

async function switchOver(hand: Hand<PatroniStage>, load: Load): Promise<void> {
  const { database } = hand.stage;
  const leader = await database.untilLeader();
  const goesOn = clockOf(hand, load, 'switchover');
  await leader.switchOver();
  await untilDeposed(hand, leader);
  await goesOn();
  await database.untilWhole();
}

/** The leader is cut off together with the gateways of one site, which reach no other member until the split is over. */
async function split(hand: Hand<PatroniStage>, load: Load): Promise<void> {
  const { stage, chance } = hand;
  const leader = await stage.database.untilLeader();
  const goesOn = clockOf(hand, load, 'network split');
  stage.database.split(leader, chance.pick(SITES));
  try {
    await goesOn();
  } finally {
    stage.database.heal();
  }
  await stage.database.untilWhole();
  await noteLeader(hand, leader);
}

async function loseStandby(hand: Hand<PatroniStage>, load: Load): Promise<void> {
  const { stage, chance } = hand;
  const leader = await stage.database.untilLeader();
  const standby = chance.pick(stage.database.members.filter((one) => one !== leader));
  const goesOn = clockOf(hand, load, 'a standby lost');
  await standby.machine.kill();
  await goesOn();
  standby.machine.start();
  await stage.database.untilWhole();
}

async function loseEtcd(hand: Hand<PatroniStage>, load: Load): Promise<void> {
  const { database } = hand.stage;
  const goesOn = clockOf(hand, load, 'etcd killed');
  await database.etcd.kill();
  await database.etcd.start();
  await goesOn();
  await database.untilWhole();
}

/** To be called before the damage. Returns a function that waits until everything goes on and records how long it took. */
function clockOf({ stage, took }: Hand<PatroniStage>, load: Load, damage: string): () => Promise<void> {
  const fromMs = performance.now();
  return async () => {
    await untilProgress(stage, load).catch((cause: unknown) => {
      throw new Error(`${String(cause)}\n${stage.database.lastWords()}`, { cause });
    });
    took(`everything went on: ${damage}`, performance.now() - fromMs);
  };
}

/** Waits until another member leads. */
async function untilDeposed({ stage: { database } }: Hand<PatroniStage>, old: Member): Promise<void> {
  const others = database.members.filter((one) => one !== old);
  const isAnotherLeader = async () =>
    (await Promise.all(others.map((one) => one.leadsOn()))).some((timeline) => timeline !== null);
  const options = { timeoutMs: DEPOSED_WITHIN_MS, everyMs: 100 };
  await waitUntil(`another member to lead in the place of ${old.name}`, isAnotherLeader, options);
}

async function noteLeader({ stage, note }: Hand<PatroniStage>, old: Member): Promise<void> {
  const leader = await stage.database.untilLeader();
  note(leader === old ? 'leaders that lead again themselves' : 'leaders that another one followed');
}
