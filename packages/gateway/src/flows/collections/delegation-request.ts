// What is asked for where the energy of a stake goes to a deposit address, or is taken back from there.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { PlannedStake } from '@ducat/core/collection/plan';
import { leastFeeCap } from '@ducat/core/outgoing/least-fee-cap';
import { ENERGY_SUFFIX } from '../../db/tables/collections/collections.ts';
import { returnSubject } from '../../db/tables/collections/delegated-energy.ts';
import type { RequestOutgoing } from '../outgoing/request-outgoing.ts';

export interface EnergyOfStake {
  readonly collectionId: string;
  readonly chain: Pick<ChainDefinition, 'family'>;
  readonly nativeId: number;
  /** Its key has the staker's permission. */
  readonly gasWallet: string;
  /** The deposit address and its place below the seed. */
  readonly address: string;
  readonly account: number;
  readonly index: number;
  readonly stake: PlannedStake;
}

/** `returns` is null where energy is delegated, else how often it was asked back, with this time. */
export function delegationRequest(
  { collectionId, chain, nativeId, gasWallet, address, account, index, stake }: EnergyOfStake,
  returns: number | null = null,
): Pick<RequestOutgoing, 'subject' | 'from' | 'to' | 'amount' | 'feeCap' | 'delegation'> {
  const { staker, amount } = stake;
  const id = returns === null ? collectionId + ENERGY_SUFFIX : returnSubject(collectionId, returns);
  return {
    subject: { kind: 'funding', id, recipient: { account, branch: 'deposit', index } },
    from: gasWallet,
    to: address,
    amount,
    feeCap: leastFeeCap(chain.family, nativeId),
    delegation: { action: returns === null ? 'delegate' : 'undelegate', staker },
  };
}
