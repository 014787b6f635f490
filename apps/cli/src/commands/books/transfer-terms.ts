// The terms of sending an app's amount to an address, as the chain quotes them: for refunds that an operator makes.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Currency } from '@ducat/core/chain/currency';
import type { Amount } from '@ducat/core/money/amount';
import { checkDestination } from '@ducat/core/payout/destination';
import { feeCapOf } from '@ducat/core/payout/open-payout';
import { addressSchemes } from '@ducat/gateway/chains/address-schemes';
import { createNetworkFees } from '@ducat/gateway/compose/fees/network-fees';
import { findOurs } from '@ducat/gateway/db/tables/addresses';
import { CommandError } from '../../command-error.ts';
import type { Setup } from '../../setup.ts';

export interface Sending {
  readonly appId: string;
  readonly chain: ChainDefinition;
  readonly currency: Currency;
  readonly amount: Amount;
  /** The address as it was typed. */
  readonly to: string;
}

export interface TransferTerms {
  /** Canonical. */
  readonly toAddress: string;
  readonly networkFee: Amount;
  readonly feeCap: Amount;
}

/** Throws CommandError and Outage. */
export async function transferTerms(setup: Setup, sending: Sending): Promise<TransferTerms> {
  const { config, database, world } = setup;
  const { appId, chain, currency, amount } = sending;
  const to = await destinationOf(setup, sending);
  const fees = createNetworkFees(config, database.reader, () => ({ world })).get(chain.name);
  if (fees === undefined) throw new CommandError(`payouts on ${chain.name} are not set up`);
  const estimate = await fees.estimate({ appId, to, currency, amount });
  if (estimate.outcome !== 'possible') throw new CommandError(`the chain would not do it: ${estimate.text}`);
  const { expected: networkFee, most } = estimate.unaided ?? estimate;
  return { toAddress: to, networkFee, feeCap: feeCapOf(most, chain.family) };
}

async function destinationOf(
  { config, database }: Setup,
  { chain: { family, name }, to }: Sending,
): Promise<string> {
  const scheme = addressSchemes[family];
  const address = scheme.canonical(to);
  if (address === null) throw new CommandError(`${to} is no address of ${name}`);
  const ours = await findOurs(database.reader, family, new Set([address]));
  const definitions = [...config.chains.map(({ definition }) => definition), ...config.chainsOff];
  const contracts = definitions
    .filter((one) => one.family === family)
    .flatMap(({ currencies }) => currencies.flatMap(({ contract }) => contract ?? []));
  const tokenContracts = new Set(contracts.flatMap((contract) => scheme.canonical(contract) ?? []));
  const checked = checkDestination({ address, tokenContracts, isOurs: ours.has(address) });
  if (checked.ok) return checked.value;
  throw new CommandError(checked.refusal.message.replace('to_address', to));
}
