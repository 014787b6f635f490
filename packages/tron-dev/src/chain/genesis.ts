// The first block: funded accounts, witnesses, and stake totals as large as mainnet's.
import { blockIdOf, signHeader } from '../protocol/block-header.ts';
import type { DevKey } from '../protocol/keys.ts';
import { merkleRoot } from '../protocol/merkle.ts';
import { blockHeaderRaw } from '../protocol/messages.ts';
import { make } from '../protocol/schema.ts';
import { emptyState } from '../state/state.ts';
import { weightNames } from '../state/usage.ts';
import { World } from '../state/world.ts';
import { witnessAt } from './build-block.ts';
import type { Block } from './ledger.ts';

export interface GenesisOptions {
  /** Milliseconds. */
  readonly timestamp: number;
  readonly accounts: readonly string[];
  /** The sun that each account holds. */
  readonly balance: bigint;
  readonly witnesses: readonly DevKey[];
  /** Whole TRX that count as staked from the start, so that a stake gives as much as on mainnet. */
  readonly energyWeight: bigint;
  readonly netWeight: bigint;
}

/** Stake totals of mainnet in 2026: about 9.5 energy and 1.6 bandwidth a day for a staked TRX. */
export const mainnetWeights = { energyWeight: 18_970_000_000n, netWeight: 27_000_000_000n };

/** TRC-10 ids are counted from here on. */
const firstTokenId = 1_000_001n;

const witnessBalance = 1_000_000_000n;

export function genesisBlock(options: GenesisOptions): Block {
  const now = BigInt(options.timestamp);
  const world = new World(emptyState());
  for (const { address } of options.witnesses) {
    world.updateAccount(address, now, () => ({ balance: witnessBalance }));
  }
  for (const address of options.accounts) {
    world.updateAccount(address, now, () => ({ balance: options.balance }));
  }
  world.set('totals', weightNames.ENERGY, options.energyWeight);
  world.set('totals', weightNames.BANDWIDTH, options.netWeight);
  world.set('totals', 'nextTokenId', firstTokenId);
  const witness = witnessAt(options.witnesses, 0);
  const header = make(blockHeaderRaw, {
    timestamp: now,
    txTrieRoot: merkleRoot([]),
    parentHash: '00'.repeat(32),
    witness_address: witness.address,
  });
  return {
    id: blockIdOf(header),
    number: 0,
    timestamp: options.timestamp,
    header,
    witnessSignature: signHeader(header, witness.privateKey),
    transactions: [],
    state: world.state,
    changes: world.changes(),
  };
}
