// Sweepers on a simulated EVM chain: which wallets have one, which addresses delegate to it, and what a sweep moves.
import type {
  EvmTransferIntent,
  SweptAddress,
  Sweeping,
  TransferIntent,
} from '@ducat/core/signing/transfer-intent';
import type { SweepGround } from '@ducat/gateway/chains/port/writer';
import type { Delegating, SentTransaction, ValueTransfer } from '../../nodes/sim-block.ts';

/** Gas on top of that of any transaction. */
const DEPLOYMENT_GAS = 12_000n;
const EACH_GAS = 30_000n;

export interface Sweepers {
  /** The wallets that have a sweeper. */
  readonly made: ReadonlySet<string>;
  /** The wallet whose sweeper an address delegates to. */
  readonly delegates: ReadonlyMap<string, string>;
  /** How many nonces of an address its authorisations have spent. */
  readonly spent: ReadonlyMap<string, number>;
}

export function sweepersBy(transactions: readonly SentTransaction[]): Sweepers {
  const made = new Set<string>();
  const delegates = new Map<string, string>();
  const spent = new Map<string, number>();
  for (const { delegating = null, failed } of transactions) {
    if (delegating === null) continue;
    if (delegating.deploys && !failed) made.add(delegating.wallet);
    for (const address of delegating.authorised) {
      delegates.set(address, delegating.wallet);
      spent.set(address, (spent.get(address) ?? 0) + 1);
    }
  }
  return { made, delegates, spent };
}

/** The gas of a sweep or a deployment; null where the intent is a plain transfer. */
export function sweepingGas(sweeping: Sweeping | undefined): bigint | null {
  if (sweeping === undefined) return null;
  const besides = {
    deploy: DEPLOYMENT_GAS,
    nothing: 0n,
    sweep: EACH_GAS * BigInt(sweeping.type === 'sweep' ? sweeping.from.length : 0),
  };
  return 21_000n + besides[sweeping.type];
}

/** The state of the chain as a sweep finds it. */
export interface SweepingGround {
  readonly sweepers: Sweepers;
  nonce(address: string): number;
  balance(address: string, currencyId: number): bigint;
}

/**
 * The effects of a sweep: an authorisation with another nonce is skipped, and an address that delegates elsewhere
 * moves nothing.
 */
export function sweepAt(
  ground: SweepingGround,
  { to: wallet, sweeping }: EvmTransferIntent,
  currencyId: number,
  only: string | null = null,
): { readonly delegating: Delegating; readonly valueTransfers: readonly ValueTransfer[] } {
  const { sweepers } = ground;
  if (sweeping?.type !== 'sweep')
    return {
      delegating: { authorised: [], wallet, deploys: sweeping?.type === 'deploy' },
      valueTransfers: [],
    };
  const authorised = sweeping.from
    .filter(({ address, nonce }) => nonce === ground.nonce(address))
    .map(({ address }) => address);
  const valueTransfers = sweeping.from.flatMap(({ address: from }) => {
    const isOurs = authorised.includes(from) || sweepers.delegates.get(from) === wallet;
    const units = ground.balance(from, currencyId);
    const isMoved = sweepers.made.has(wallet) && isOurs && units > 0n && (only ?? from) === from;
    return isMoved ? [{ currencyId, from, to: wallet, units }] : [];
  });
  return { delegating: { authorised, wallet, deploys: false }, valueTransfers };
}

/** The state as a node answers it. */
export function groundOf(ground: SweepingGround, wallet: string, addresses: readonly string[]): SweepGround {
  const accounts = addresses.map((address) => {
    const to = ground.sweepers.delegates.get(address);
    const delegates = to === undefined ? 'nowhere' : to === wallet ? 'to-sweeper' : 'elsewhere';
    return { nonce: ground.nonce(address), delegates } as const;
  });
  return { hasSweeper: ground.sweepers.made.has(wallet), accounts };
}

/** The addresses of a sweep; empty for any other intent. */
export function sweptIn(intent: TransferIntent): readonly SweptAddress[] {
  return intent.family === 'evm' && intent.sweeping?.type === 'sweep' ? intent.sweeping.from : [];
}
