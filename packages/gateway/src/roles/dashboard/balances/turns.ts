// Runs the long reads of one merchant one after another: each holds a connection for seconds, and all merchants share few.

/** Runs the work once all earlier work of the same owner has ended. Null where too much waits; nothing runs then. */
export type InTurn = <Result>(owner: string, work: () => Promise<Result>) => Promise<Result> | null;

/** `most` bounds the work of one owner that runs or waits. */
export function createTurns(most: number): InTurn {
  const queues = new Map<string, Set<Promise<unknown>>>();
  return (owner, work) => {
    const queue = queues.get(owner) ?? new Set();
    if (queue.size >= most) return null;
    const turn = Promise.allSettled(queue).then(work);
    queues.set(owner, queue.add(turn));
    const leave = () => {
      queue.delete(turn);
      if (queue.size === 0) queues.delete(owner);
    };
    turn.then(leave, leave);
    return turn;
  };
}
