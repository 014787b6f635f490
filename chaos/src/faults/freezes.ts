// SIGSTOP: a process stands still with all that it holds, and goes on in the middle of what it was about to do.
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { awake, type Fault, type Hand, sleep } from './fault.ts';
import type { RoleName, RoleProcess } from '../processes/role-process.ts';
import type { Stage } from '../stage.ts';
import { readHolders, untilTakenOver } from './watch-leases.ts';

const API_FROZEN_MS = 5_000;
/** For a process that is alone in its role: nothing goes on while it is frozen. */
const SHORT_MS = 3_000;
/** How long a watcher stays frozen after another one has taken over its chains. */
const BEYOND_TAKE_OVER_MS = 2_000;
/** The lease of a claimed webhook. */
const WEBHOOK_LEASE_MS = 30_000;
/** Claims under way before a notifier is frozen: enough for each of the two to have some. */
const CLAIMS_WANTED = 4;
const MAX_TRIES = 6;
/** Claims of a notifier that is awake have ended by then, also at a slow receiver. */
const HOLDS_AFTER_MS = 4_000;
const SLOW_RECEIVERS_MS = 600;
const WITHIN_MS = 60_000;

export const freezeApi: Fault = (hand) =>
  awake(hand.stage, 'api').length < 2 ? freezeLast(hand, 'api') : freezeOneApi(hand);

export const freezeMaintenance: Fault = (hand) => freezeLast(hand, 'maintenance');

/** Freezes a watcher that holds chains, until another one has taken them over and worked on them for a while. */
export const freezeWatcher: Fault = async ({ stage, chance, hit, took, meanwhile }) => {
  const haveOther = () => awake(stage, 'watcher').length > 1;
  await waitUntil('another watcher to be awake', haveOther, { timeoutMs: WITHIN_MS });
  const holders = async () => {
    const living = (await readHolders(stage)).filter(({ role }) => !role.isFrozen);
    return living.length > 0 && living;
  };
  const { role, tokens } = chance.pick(
    await waitUntil('a watcher to hold a chain', holders, { timeoutMs: WITHIN_MS }),
  );
  role.freeze();
  took('chains taken over from a frozen watcher', await untilTakenOver(stage, tokens));
  hit(tokens.size);
  meanwhile(sleep(BEYOND_TAKE_OVER_MS).then(() => role.thaw()));
};

export const freezeNotifier: Fault = (hand) =>
  awake(hand.stage, 'notifier').length < 2 ? freezeLast(hand, 'notifier') : freezeOneNotifier(hand);

async function freezeOneApi({ stage, chance, meanwhile }: Hand): Promise<void> {
  const role = chance.pick(awake(stage, 'api'));
  role.freeze();
  meanwhile(sleep(API_FROZEN_MS).then(() => role.thaw()));
}

/** Freezes a notifier with webhooks under way, until its leases are over and others have sent these webhooks. */
async function freezeOneNotifier(hand: Hand): Promise<void> {
  const { stage, chance, note, meanwhile } = hand;
  const role = chance.pick(awake(stage, 'notifier'));
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const { isStill, claims } = await freezeUnderWay(stage, role);
    const sinceMs = performance.now();
    // A claim does not name its notifier. The claims that do not end are those of the frozen one.
    const isDecided = async () =>
      (await left(stage, claims))?.length === 0 || performance.now() - sinceMs > HOLDS_AFTER_MS;
    await waitUntil('the claims of others to end', isDecided, { timeoutMs: WITHIN_MS, everyMs: 100 });
    const own = (await left(stage, claims)) ?? [];
    if (own.length > 0) return meanwhile(thawBehindLease(hand, role, isStill, own));
    role.thaw();
  }
  note('notifiers that held no webhook whenever they were frozen');
}

/** Makes receivers slow until the notifier is frozen, so that claims are under way. */
async function freezeUnderWay(stage: Stage, role: RoleProcess) {
  for (const { proxy } of stage.receivers) proxy.setTrouble({ latencyMs: SLOW_RECEIVERS_MS });
  try {
    const areMany = async () => (await readClaims(stage)).length >= CLAIMS_WANTED;
    await waitUntil('webhooks to be under way', areMany, { timeoutMs: WITHIN_MS, everyMs: 50 });
    const isStill = role.freeze();
    return { isStill, claims: await readClaims(stage) };
  } finally {
    for (const { proxy } of stage.receivers) proxy.setTrouble({});
  }
}

/** Freezes the last process of a role that is awake, for less than any lease, and so under a name of its own. */
async function freezeLast({ stage, chance }: Hand, name: RoleName): Promise<string> {
  const role = chance.pick(awake(stage, name));
  role.freeze();
  await sleep(SHORT_MS);
  role.thaw();
  return `SIGSTOP of the only ${name} awake, ${SHORT_MS / 1000} s`;
}

/** Thaws the notifier once the leases of its webhooks are over and others have sent them. Only then the freeze counts. */
async function thawBehindLease(
  { stage, hit, note }: Hand,
  role: RoleProcess,
  isStill: () => boolean,
  own: readonly string[],
): Promise<void> {
  const sinceMs = performance.now();
  const isOver = async () => {
    if (!isStill()) return true;
    if (performance.now() - sinceMs < WEBHOOK_LEASE_MS) return false;
    return (await left(stage, own))?.length === 0;
  };
  try {
    await waitUntil('others to send what a frozen notifier held', isOver, {
      timeoutMs: 2 * WITHIN_MS,
      everyMs: 200,
    });
    if (!isStill()) return note('frozen notifiers killed before others had what they held');
    hit(1);
    note('webhooks held by a frozen notifier beyond its lease, sent by others', own.length);
  } finally {
    if (isStill()) role.thaw();
  }
}

/** The claims among these that have not ended; null while the database is away. */
async function left(stage: Stage, claims: readonly string[]): Promise<readonly string[] | null> {
  const now = await readClaims(stage).catch(() => null);
  return now && claims.filter((claim) => now.includes(claim));
}

/** Claims that have not ended, each as the event's id and the number of its attempt. */
async function readClaims({ database }: Stage): Promise<readonly string[]> {
  const rows = await database.query<{ claim: string }>(
    "select event_id || '/' || attempts as claim from events where state = 'pending' and leased_until_ms > 0",
  );
  return rows.map(({ claim }) => claim);
}
