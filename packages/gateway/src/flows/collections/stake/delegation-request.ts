// The outgoing transaction that delegates energy of a stake to a deposit address, or takes the energy back.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { PlannedStake } from '@ducat/core/collection/plan';
import { leastFeeCap } from '@ducat/core/outgoing/least-fee-cap';
import type { KeyPath } from '@ducat/core/signing/key-path';
import type { RequestOutgoing } from '../../outgoing/request-outgoing.ts';

export interface EnergyOfStake {
  /** The id of the subject. One id stands for one transaction for ever. */
  readonly id: string;
  readonly chain: Pick<ChainDefinition, 'family'>;
  readonly nativeId: number;
  /** The gas wallet, whose key has the staker's permission. */
  readonly gasWallet: string;
  /** The deposit address and its place below the seed. */
  readonly address: string;
  readonly recipient: KeyPath;
  readonly stake: PlannedStake;
}

type DelegationRequest = Pick<
  RequestOutgoing,
  'subject' | 'from' | 'to' | 'amount' | 'feeCap' | 'delegation'
>;

export function delegation(energy: EnergyOfStake): DelegationRequest {
  return requestOf(energy, 'delegate');
}

export function undelegation(energy: EnergyOfStake): DelegationRequest {
  return requestOf(energy, 'undelegate');
}

function requestOf(
  { id, chain, nativeId, gasWallet, address, recipient, stake }: EnergyOfStake,
  action: 'delegate' | 'undelegate',
): DelegationRequest {
  return {
    subject: { kind: 'funding', id, recipient },
    from: gasWallet,
    to: address,
    amount: stake.amount,
    feeCap: leastFeeCap(chain.family, nativeId),
    delegation: { action, staker: stake.staker },
  };
}
