// The chain as one of the two APIs shows it: the full node up to its head, the solidity node up to the solid head.
import type { Chain } from '../chain/chain.ts';
import { type Block, blockOf, type IncludedTransaction } from '../chain/ledger.ts';
import type { State } from '../state/state.ts';

export interface ChainView {
  readonly isSolid: boolean;
  /** The newest block this view shows. */
  head(): Block;
  /** The state that account and contract queries read: on a full node with the effects of the pool. */
  state(): Promise<State>;
  blockByNumber(number: bigint): Block | null;
  blockById(id: string): Block | null;
  /** A transaction in a block of this view. */
  included(txId: string): { readonly block: Block; readonly entry: IncludedTransaction } | null;
  /** A transaction that waits in the pool, as a full node shows it: executed, and already with a result. */
  waiting(txId: string): Promise<IncludedTransaction | null>;
}

export function fullView(chain: Chain): ChainView {
  return {
    ...viewUpTo(chain, () => chain.head),
    isSolid: false,
    state: async () => (await chain.pending()).state,
    waiting: async (txId) => (await chain.pending()).transactions.get(txId) ?? null,
  };
}

export function solidView(chain: Chain): ChainView {
  return {
    ...viewUpTo(chain, () => chain.solidHead),
    isSolid: true,
    state: () => Promise.resolve(chain.solidHead.state),
    waiting: () => Promise.resolve(null),
  };
}

function viewUpTo(
  chain: Chain,
  head: () => Block,
): Pick<ChainView, 'head' | 'blockByNumber' | 'blockById' | 'included'> {
  const blockByNumber = (number: bigint): Block | null => {
    if (number < 0n || number > BigInt(head().number)) return null;
    const id = chain.ledger.main.byNumber.get(Number(number));
    return id === undefined ? null : blockOf(chain.ledger, id);
  };
  return {
    head,
    blockByNumber,
    blockById: (id) => {
      const block = chain.ledger.blocks.get(id);
      return block !== undefined && blockByNumber(BigInt(block.number))?.id === id ? block : null;
    },
    included: (txId) => {
      const place = chain.ledger.main.places.get(txId);
      if (place === undefined) return null;
      const block = blockOf(chain.ledger, place.blockId);
      const entry = block.transactions[place.index];
      return entry === undefined || block.number > head().number ? null : { block, entry };
    },
  };
}
