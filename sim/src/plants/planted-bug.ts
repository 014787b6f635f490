// The type of a planted bug: a change of the compiled product that some checker has to notice.

export interface Plant {
  /** What the product does wrong, in words. */
  readonly bug: string;
  /** The compiled file, as a path below `packages/`. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** A second change of the same file. */
  readonly also?: { readonly find: string; readonly replace: string };
  /** A change of another file. */
  readonly elsewhere?: { readonly file: string; readonly find: string; readonly replace: string };
  /** The scenario that shows the bug; seeds where it is left out. */
  readonly scenario?: string;
  /**
   * For a bug that shows only after a death: the scenario is run again with a death at every so manieth of its steps.
   */
  readonly crashEvery?: number;
  /** Statements that change the schema, where a constraint would stop the bug. */
  readonly change?: readonly string[];
}

/** Every change of the bug, with the file of each. */
export function changesOf({ file, find, replace, also, elsewhere }: Plant): readonly Change[] {
  const second = also === undefined ? [] : [{ file, ...also }];
  return [{ file, find, replace }, ...second, ...(elsewhere === undefined ? [] : [elsewhere])];
}

interface Change {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}
