// Distinguishes an outage of the database from every other outage: only the database's is answered with 503. Silence counts.
import type { AppKeys } from '../../keys/app-keys.ts';
import type { Reader, Transact } from '../../db/postgres/tx.ts';
import { Outage } from '../../runtime/outage.ts';
import type { World } from '../../runtime/world.ts';

/** The database cannot be reached now; asking again later may help. */
export class DatabaseAway extends Error {
  override readonly name = 'DatabaseAway';
}

/** How often the watch checks whether the database still answers. */
const LOOK_EVERY_MS = 250;
/**
 * A call is given up after so many looks without an answer to any call: two and a half seconds. A database that is merely
 * slow answers some calls in this time, so no call is given up under load.
 */
const MAX_SILENT_LOOKS = 10;

export interface DatabaseWatch {
  /** The same reader, but its outages are thrown as DatabaseAway. */
  reader(reader: Reader): Reader;
  /**
   * The same runner, but its outages are thrown as DatabaseAway: a flow uses only its transaction, so any outage in it is
   * the database's.
   */
  transact(transact: Transact): Transact;
  /** Work that ends with an answer of the database, or with its outage. */
  watched<T>(work: Promise<T>): Promise<T>;
  /** The same keys, but an outage is thrown as DatabaseAway: keys that are not remembered are read from the database. */
  appKeys(appKeys: AppKeys): AppKeys;
}

interface Waiting {
  readonly sinceLook: number;
  readonly giveUp: (error: DatabaseAway) => void;
}

/** Every watched call ends with its answer or with DatabaseAway. A call that was given up may still take effect. */
export function watchDatabase(world: World): DatabaseWatch {
  const waiting = new Set<Waiting>();
  let [look, answeredAtLook, isLooking] = [0, 0, false];

  async function lookWhileWaiting(): Promise<void> {
    while (waiting.size > 0) {
      await world.sleep(LOOK_EVERY_MS);
      look += 1;
      for (const call of waiting) {
        if (look - Math.max(call.sinceLook, answeredAtLook) <= MAX_SILENT_LOOKS) continue;
        waiting.delete(call);
        call.giveUp(new DatabaseAway('the database does not answer'));
      }
    }
    isLooking = false;
  }

  /** Every request is watched several times. So a watched call is one promise, not a race of several. */
  function watch<T>(work: Promise<T>, answered: () => void): Promise<T> {
    return new Promise((resolve, reject) => {
      const call: Waiting = { sinceLook: look, giveUp: reject };
      waiting.add(call);
      if (!isLooking) {
        isLooking = true;
        void lookWhileWaiting();
      }
      const end = () => {
        waiting.delete(call);
        answered();
      };
      work.then(
        (value) => {
          end();
          resolve(value);
        },
        (error: unknown) => {
          end();
          const isAway = error instanceof Outage;
          reject(isAway ? new DatabaseAway('the database is away', { cause: error }) : error);
        },
      );
    });
  }

  const watched = <T>(work: Promise<T>): Promise<T> =>
    watch(work, () => {
      answeredAtLook = look;
    });
  return {
    reader: (reader) => ({ read: (sql, values) => watched(reader.read(sql, values)) }),
    transact: (transact) => (flow, shape) => watched(transact(flow, shape)),
    watched,
    appKeys: (appKeys) => ({
      ...appKeys,
      // Remembered keys are no answer of the database.
      keysFor: (appId, maxAgeMs) => watch(appKeys.keysFor(appId, maxAgeMs), () => undefined),
    }),
  };
}
