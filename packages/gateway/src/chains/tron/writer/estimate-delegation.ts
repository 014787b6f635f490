// Whether energy can be delegated, or taken back, on Tron now. The staker's own account pays what it burns.
import { amountOf, type CurrencyId, unitsOf } from '@ducat/core/money/amount';
import type { Delegation } from '@ducat/core/outgoing/delegation';
import type { PlannedTransfer, TransferEstimate } from '../../port/writer.ts';
import type { HttpApi } from '../wire/http-api.ts';
import { readDelegated } from './delegations.ts';
import { readKind, readPrices } from './resources.ts';
import { DELEGATION_BYTES, readStake, type Stake, stakerCost } from './stake.ts';

type PlannedDelegation = PlannedTransfer & { readonly delegation: Delegation };

/** Throws Outage where the node cannot answer. */
export async function estimateDelegation(
  api: HttpApi,
  planned: PlannedDelegation,
  nativeId: CurrencyId,
): Promise<TransferEstimate> {
  const { delegation, from: signer } = planned;
  const { staker, action } = delegation;
  const stake = await readStake(api, { staker, signer });
  if (action === 'undelegate') {
    const { withoutLock: there } = await readDelegated(api, staker.address, planned.to);
    // This check comes first: where nothing is left, it does not matter whether our key may still take it back.
    if (there < unitsOf(planned.amount))
      return { ...impossible(`the staker has ${there} sun delegated there`), stake: 'gone' };
  }
  if (!stake.isPermitted)
    return impossible(`permission ${staker.permission} of the staker does not let our key delegate`);
  const burnt = stakerCost(stake, await readPrices(api), DELEGATION_BYTES);
  if (burnt === null) return impossible('the staker has too little coin for bandwidth');
  if (action === 'delegate') {
    const text = await delegatingProblem(api, planned, stake);
    if (text !== null) return impossible(text);
  }
  const cost = amountOf(nativeId, burnt);
  return {
    outcome: 'possible',
    expected: cost,
    most: cost,
    terms: { family: 'tron', feeLimit: 0n },
    shortOf: [],
  };
}

function impossible(text: string) {
  return { outcome: 'impossible', reason: 'reverts', text } as const;
}

async function delegatingProblem(
  api: HttpApi,
  { to, amount }: PlannedDelegation,
  { free }: Stake,
): Promise<string | null> {
  if (free < unitsOf(amount)) return `the staker can delegate ${free} sun`;
  return (await readKind(api, to)) === 'plain' ? null : 'the address has no account';
}
