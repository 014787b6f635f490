// Which block is solid: final for honest nodes, and the only kind of block one should credit money from.
import { headOf, type Ledger } from './ledger.ts';

export interface SolidRule {
  /** How many blocks the solid head lies behind the head. */
  readonly lagBlocks: number;
  readonly isFrozen: boolean;
}

/**
 * 19 of the 27 witnesses have built on a block, itself included, when 18 blocks follow it: then java-tron calls it
 * solid, and its solid head lies 18 behind the head.
 */
export const mainnetLag = 18;

/** The ledger with the solid head where the rule puts it. It never moves back by itself. */
export function settle(ledger: Ledger, rule: SolidRule): Ledger {
  if (rule.isFrozen) return ledger;
  const solidNumber = Math.max(ledger.solidNumber, headOf(ledger).number - rule.lagBlocks);
  return solidNumber === ledger.solidNumber ? ledger : { ...ledger, solidNumber };
}
