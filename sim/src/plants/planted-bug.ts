// What a planted bug is: a change of the compiled product that some checker has to notice.

export interface Plant {
  /** What the product does wrong, in words. */
  readonly bug: string;
  /** Below `packages/`, compiled. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** A second change of the same file. */
  readonly also?: { readonly find: string; readonly replace: string };
  /** Statements that change the schema, where a constraint would stop the bug. */
  readonly change?: readonly string[];
}
