// Which block is solid: final for honest nodes, and the only kind of block to credit money from.
import { headOf, type Ledger } from './ledger.ts';

export interface SolidRule {
  /** How many blocks the solid head lies behind the head. */
  readonly lagBlocks: number;
  readonly isFrozen: boolean;
}

/**
 * How far the solid head is behind the head on mainnet. When 18 blocks follow a block, 19 of the 27 witnesses have
 * built on it, itself included. java-tron then calls the block solid.
 */
export const mainnetLag = 18;

/** The ledger with the solid head where the rule puts it. It never moves back by itself. */
export function settle(ledger: Ledger, rule: SolidRule): Ledger {
  if (rule.isFrozen) return ledger;
  const solidNumber = Math.max(ledger.solidNumber, headOf(ledger).number - rule.lagBlocks);
  return solidNumber === ledger.solidNumber ? ledger : { ...ledger, solidNumber };
}
