// Tells what a chain's nodes turn out not to show only after the start, which has told what was known then.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { ChainPort } from '../../chains/port.ts';
import type { Log } from '../../runtime/log.ts';

export interface GapTeller {
  readonly chain: Pick<ChainPort, 'gaps'> & { readonly definition: Pick<ChainDefinition, 'name'> };
  readonly log: Pick<Log, 'info' | 'error'>;
}

/** Called after every step. */
export function createGapTeller({ chain, log }: GapTeller): () => void {
  const { name } = chain.definition;
  let told = chain.gaps();
  return () => {
    const gaps = chain.gaps();
    for (const gap of gaps) if (!told.includes(gap)) log.error({ chain: name, gap }, 'new gap');
    for (const gap of told) if (!gaps.includes(gap)) log.info({ chain: name, gap }, 'gap is over');
    told = gaps;
  };
}
