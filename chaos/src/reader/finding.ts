// What the reader says of a thing that must not be.

/** How something is wrong. */
export type Fault = 'lost' | 'doubled' | 'invented' | 'wrong';

/** One thing that must not be. */
export interface Finding {
  readonly fault: Fault;
  readonly what: string;
}
