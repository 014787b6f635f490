// Opens a chain: from genesis, or from the state file of an earlier run.
import { Chain, type ChainState } from './chain/chain.ts';
import { DevClock } from './chain/clock.ts';
import { genesisBlock, mainnetWeights } from './chain/genesis.ts';
import { ledgerOf } from './chain/ledger.ts';
import { mainnetLag } from './chain/solid.ts';
import { keepChain, loadChain } from './persist/state-file.ts';
import { witnessKeys } from './protocol/keys.ts';
import { mainnetParameters, type ParameterChanges } from './state/parameters.ts';
import { tronCommon } from './vm/energy-table.ts';

export interface OpenOptions {
  readonly accounts: readonly string[];
  readonly balance: bigint;
  readonly genesisTimestamp: number | null;
  readonly parameters: ParameterChanges;
  readonly solidLag: number | null;
  readonly stateFile: string | null;
}

export interface OpenedChain {
  readonly chain: Chain;
  /** Writes unsaved changes to the state file and closes it. */
  close(): void;
}

export function openChain(options: OpenOptions): OpenedChain {
  const loaded = options.stateFile === null ? null : loadChain(options.stateFile);
  const witnesses = witnessKeys();
  const state = loaded?.state ?? freshState(options);
  const genesisId = state.ledger.main.byNumber.get(0) ?? '';
  const rules = {
    parameters: { ...mainnetParameters, ...options.parameters },
    witnesses,
    common: tronCommon(chainIdOf(genesisId)),
  };
  const clock = new DevClock(options.genesisTimestamp !== null);
  if (loaded !== null) clock.restore(loaded.clock);
  const chain = new Chain(rules, clock, state);
  const close =
    options.stateFile === null ? () => undefined : keepChain(options.stateFile, chain, loaded !== null);
  return { chain, close };
}

function freshState(options: OpenOptions): ChainState {
  const genesis = genesisBlock({
    timestamp: options.genesisTimestamp ?? Date.now(),
    accounts: options.accounts,
    balance: options.balance,
    witnesses: witnessKeys(),
    ...mainnetWeights,
  });
  const solid = { lagBlocks: options.solidLag ?? mainnetLag, isFrozen: false };
  return { ledger: ledgerOf(genesis), pool: [], solid };
}

/** The chain id: the last 4 bytes of the genesis id. */
function chainIdOf(genesisId: string): number {
  return Number.parseInt(genesisId.slice(-8), 16);
}
