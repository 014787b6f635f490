// A finding of the reader: something that must not be, and how it is wrong.

/** How something is wrong. */
export type Fault = 'lost' | 'doubled' | 'invented' | 'wrong';

/** One thing that must not be. */
export interface Finding {
  readonly fault: Fault;
  readonly what: string;
}
