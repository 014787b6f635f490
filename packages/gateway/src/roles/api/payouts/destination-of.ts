// Where a payout goes, as its chain writes it, or why nothing is sent there (decision C5).
import { checkDestination } from '@ducat/core/payout/destination';
import { fieldInvalid } from '@ducat/core/refusal';
import { type Result, refuse } from '@ducat/core/result';
import { findOurs } from '../../../db/tables/addresses.ts';
import type { Listing } from '../catalogue.ts';
import type { Call } from '../handler.ts';

/** The canonical text of an address that money may be sent to. */
export async function destinationOf(
  { deps }: Call,
  { chain }: Listing,
  text: string,
): Promise<Result<string>> {
  const { family, name } = chain;
  const address = deps.addressSchemes[family].canonical(text);
  if (address === null) return refuse(fieldInvalid('to_address', `is not an address of ${name}`));
  const ours = await findOurs(deps.reader, family, new Set([address]));
  const tokenContracts = deps.catalogue.contracts(family);
  return checkDestination({ address, tokenContracts, isOurs: ours.has(address) });
}
