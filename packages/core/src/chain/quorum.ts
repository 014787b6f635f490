// How many providers of a chain have to report the same before it is final.

/** Of so many providers, where the operator says nothing else. */
export function defaultQuorum(providers: number): number {
  return Math.min(2, providers);
}
