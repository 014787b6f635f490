// Which queues get the free places of a notifier: in turns, so that a slow receiver takes the place of no other.

/** Events wait in one queue for each app and receiver: an app belongs to one merchant, and a receiver fails as a whole. */
export interface Queue {
  readonly appId: string;
  readonly receiver: string;
}

/** A queue whose first event is due. */
export interface DueQueue extends Queue {
  /** Since when its first event is due. */
  readonly dueAtMs: number;
  /** How many of its events are due, counted no further than one receiver may have under way. */
  readonly dueEvents: number;
}

/** So many events of one queue. */
export interface Share extends Queue {
  readonly deliveries: number;
}

export interface Places {
  /** Free places, over all apps. */
  readonly free: number;
  /** The most places that one app may have. */
  readonly maxPerApp: number;
  /** The most places that one queue may have. */
  readonly maxPerReceiver: number;
  /** The queue of each place that is taken. */
  readonly taken: readonly Queue[];
  /** Events that a queue gets beside its places and outside of all turns. */
  readonly prefetch: readonly Share[];
}

/** How many events each queue may send now. Apps take turns, and so do the receivers of each app. */
export function fairShare(queues: readonly DueQueue[], places: Places): readonly Share[] {
  const takenByApp = countBy(places.taken, ({ appId }) => appId);
  const takenByQueue = countBy(places.taken, keyOf);
  const turns = [...byApp(queues)].flatMap(([appId, own]) =>
    turnsOf(own, takenByApp.get(appId) ?? 0, takenByQueue, places),
  );
  const served = turns.sort(byTurn).slice(0, Math.max(0, places.free));
  const shares = new Map<string, { readonly queue: Queue; deliveries: number }>();
  const give = (queue: Queue, deliveries: number): void => {
    const share = shares.get(keyOf(queue)) ?? { queue, deliveries: 0 };
    share.deliveries += deliveries;
    shares.set(keyOf(queue), share);
  };
  for (const { queue } of served) give(queue, 1);
  const due = new Set(queues.map(keyOf));
  for (const share of places.prefetch) if (due.has(keyOf(share))) give(share, share.deliveries);
  return [...shares.values()].map(({ queue: { appId, receiver }, deliveries }) => ({
    appId,
    receiver,
    deliveries,
  }));
}

/** One event of a queue. Lower turns are served first: a turn is the number of places that its app has with this event. */
interface Turn {
  readonly queue: DueQueue;
  readonly turn: number;
}

/** The turns of one app: first the receivers with the fewest events under way, among equals the one due the longest. */
function turnsOf(
  queues: readonly DueQueue[],
  takenByApp: number,
  takenByQueue: ReadonlyMap<string, number>,
  { maxPerApp, maxPerReceiver }: Places,
): Turn[] {
  const oldestFirst = queues.toSorted((a, b) => a.dueAtMs - b.dueAtMs || compare(a.receiver, b.receiver));
  const turns: Turn[] = [];
  for (let place = 1; place <= maxPerReceiver; place++) {
    for (const queue of oldestFirst) {
      const taken = takenByQueue.get(keyOf(queue)) ?? 0;
      if (place <= taken || place - taken > queue.dueEvents) continue;
      const turn = takenByApp + turns.length + 1;
      if (turn > maxPerApp) return turns;
      turns.push({ queue, turn });
    }
  }
  return turns;
}

function byApp(queues: readonly DueQueue[]): ReadonlyMap<string, readonly DueQueue[]> {
  const apps = new Map<string, DueQueue[]>();
  for (const queue of queues) {
    const own = apps.get(queue.appId);
    if (own === undefined) apps.set(queue.appId, [queue]);
    else own.push(queue);
  }
  return apps;
}

function byTurn(a: Turn, b: Turn): number {
  return a.turn - b.turn || a.queue.dueAtMs - b.queue.dueAtMs || compare(keyOf(a.queue), keyOf(b.queue));
}

/** Neither an app's id nor a host holds a space. */
function keyOf({ appId, receiver }: Queue): string {
  return `${appId} ${receiver}`;
}

/** Never equal: each queue is there once. */
function compare(a: string, b: string): number {
  return a < b ? -1 : 1;
}

function countBy<Item>(items: readonly Item[], keyed: (item: Item) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyed(item), (counts.get(keyed(item)) ?? 0) + 1);
  return counts;
}
