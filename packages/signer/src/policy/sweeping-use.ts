// Checks who may sweep or deploy, for which wallet: the addresses that a sweep names are compared with derived ones.
import { GATEWAY_ACCOUNT, type KeyPath, walletPath } from '@ducat/core/signing/key-path';
import type { SignRefusal } from '@ducat/core/signing/sign-answer';
import type { EvmTransferIntent, Sweeping } from '@ducat/core/signing/transfer-intent';
import type { ChainPolicy } from './policy.ts';

export type SweepingIntent = EvmTransferIntent & { readonly sweeping: Sweeping };

/**
 * Null where the gas wallet may sign the intent. `swept` are the addresses derived for the places that the sweep names.
 */
export function sweepingUseProblem(
  intent: SweepingIntent,
  swept: readonly string[],
  { assets }: Pick<ChainPolicy, 'assets'>,
): SignRefusal | null {
  const { subject, key, contract, baseUnits, fees, sweeping } = intent;
  if (!('recipient' in subject) || !isAt(key, walletPath(GATEWAY_ACCOUNT))) return 'key-use';
  const { recipient } = subject;
  const isOfApp = recipient.account !== GATEWAY_ACCOUNT && isAt(recipient, walletPath(recipient.account));
  if (!isOfApp) return 'key-use';
  if (sweeping.type === 'deploy') {
    if (subject.kind !== 'funding') return 'key-use';
    return contract === null && baseUnits === 0n ? null : 'malformed';
  }
  if (subject.kind !== 'collection') return 'key-use';
  // Only fee-market transactions can carry authorisations.
  if (contract === null || baseUnits === 0n || fees.type !== 'fee-market') return 'malformed';
  if (!assets.some((asset) => asset.contract === contract)) return 'asset-unknown';
  if (sweeping.type === 'nothing') return null;
  // mark: only-our-own-addresses-are-swept
  return sweeping.from.every(({ address }, place) => address === swept[place]) ? null : 'destination';
}

function isAt(path: KeyPath, { account, branch, index }: KeyPath): boolean {
  return path.account === account && path.branch === branch && path.index === index;
}
