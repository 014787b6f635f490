// Long reads of one merchant in turn: each holds a connection for seconds, and everybody else needs the others.

/** Runs the work when all of the same owner before it has ended; null, and nothing is done, where too many wait. */
export type InTurn = <Result>(owner: string, work: () => Promise<Result>) => Promise<Result> | null;

/** `most` bounds what one owner has under way or waiting. */
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
