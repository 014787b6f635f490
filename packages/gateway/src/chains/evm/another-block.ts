// An endpoint shows another block at a height than the one that is meant, as at every fork: nobody's failure by itself.
import { Untimely } from '../endpoint/untimely.ts';
import type { BlockReference } from '../port.ts';

/** Two that show one and the same other block are right against whoever told the one that was meant. */
export class AnotherBlock extends Untimely {
  /** What it shows instead. */
  readonly shown: string;

  constructor({ number, hash }: BlockReference, shown: string) {
    super(`has another block ${number} than ${hash}`, { kind: 'disagreement' });
    this.shown = shown;
  }
}
