// Distinguishes a database that is away from every other outage: it alone is answered with 503. Silence counts as away.
import type { AppKeys } from '../../keys/app-keys.ts';
import type { Reader, Transact } from '../../db/postgres/tx.ts';
import { Outage } from '../../runtime/outage.ts';
import type { World } from '../../runtime/world.ts';

/** The database cannot be reached now; asking again later may help. */
export class DatabaseAway extends Error {
  override readonly name = 'DatabaseAway';
}

/** How often it is looked at whether the database still answers. */
const LOOK_EVERY_MS = 250;
/**
 * Looks without one answer to anybody after which a call is given up: two and a half seconds. A database that is merely
 * slow answers some calls meanwhile, so no call is given up under load.
 */
const MAX_SILENT_LOOKS = 10;

export interface DatabaseWatch {
  /** The same reader, whose outages are the database's. */
  reader(reader: Reader): Reader;
  /** The same runner; a flow touches nothing but its transaction, so any outage in it is the database's. */
  transact(transact: Transact): Transact;
  /** Work that ends with an answer of the database, or with its outage. */
  watched<T>(work: Promise<T>): Promise<T>;
  /** The same keys; they are read from the database where they are not remembered. */
  appKeys(appKeys: AppKeys): AppKeys;
}

interface Waiting {
  readonly sinceLook: number;
  readonly giveUp: (error: DatabaseAway) => void;
}

/** Every call that goes through it ends with its answer, or with DatabaseAway; what was given up may still happen. */
export function watchDatabase(world: World): DatabaseWatch {
  const waiting = new Set<Waiting>();
  let [look, answeredAtLook, isLooking] = [0, 0, false];

  async function lookWhileWaiting(): Promise<void> {
    while (waiting.size > 0) {
      await world.sleep(LOOK_EVERY_MS);
      look += 1;
      for (const { sinceLook, giveUp } of waiting) {
        if (look - Math.max(sinceLook, answeredAtLook) <= MAX_SILENT_LOOKS) continue;
        giveUp(new DatabaseAway('the database does not answer'));
      }
    }
    isLooking = false;
  }

  async function watched<T>(work: Promise<T>): Promise<T> {
    let own: Waiting | null = null;
    const silence = new Promise<never>((_, giveUp) => {
      own = { sinceLook: look, giveUp };
      waiting.add(own);
    });
    if (!isLooking) {
      isLooking = true;
      void lookWhileWaiting();
    }
    try {
      return await Promise.race([work, silence]);
    } catch (error) {
      if (error instanceof Outage) throw new DatabaseAway('the database is away', { cause: error });
      throw error;
    } finally {
      if (own !== null) waiting.delete(own);
    }
  }

  const answered = <T>(work: Promise<T>): Promise<T> =>
    work.finally(() => {
      answeredAtLook = look;
    });
  return {
    reader: (reader) => ({ read: (sql, values) => watched(answered(reader.read(sql, values))) }),
    transact: (transact) => (flow, shape) => watched(answered(transact(flow, shape))),
    watched: (work) => watched(answered(work)),
    appKeys: (appKeys) => ({
      ...appKeys,
      keysFor: (appId, maxAgeMs) => watched(appKeys.keysFor(appId, maxAgeMs)),
    }),
  };
}
