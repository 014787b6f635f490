// The wallets that collecting needs. One that the books do not know is derived, and entered before anything is sent to it.
import { GATEWAY_ACCOUNT, WALLET_INDEX } from '@ducat/core/signing/key-path';
import { assert } from '@ducat/core/assert';
import { findAccountKey, findWallet, type WalletOwner } from '../../db/tables/collections/wallets.ts';
import { openWallet } from '../../flows/collections/open-wallet.ts';
import type { CollectChain } from './parts.ts';

/** The address of an app's wallet. */
export function appWallet(collector: CollectChain, appId: string): Promise<string> {
  const owner = { appId, family: collector.writer.definition.family };
  return walletOf(collector, owner, async () => {
    const key = await findAccountKey(collector.reader, owner);
    assert(key !== null, `app ${appId} has an account key, as it has addresses`);
    return key;
  });
}

/** The address of the gas wallet. Throws Outage where the signer is away, which alone knows the wallet's key. */
export function gasWallet(collector: CollectChain): Promise<string> {
  const { family } = collector.writer.definition;
  const ask = () => collector.signer.accountPublicKey(family, GATEWAY_ACCOUNT);
  return walletOf(collector, { appId: null, family }, ask);
}

async function walletOf(
  { reader, transact, addresses, log, writer }: CollectChain,
  owner: WalletOwner,
  accountKey: () => Promise<string>,
): Promise<string> {
  const known = await findWallet(reader, owner);
  if (known !== null) return known;
  const address = addresses.derive(await accountKey(), WALLET_INDEX, 'wallet');
  await transact((tx) => openWallet(tx, owner, address));
  const { appId, family } = owner;
  const chain = writer.definition.name;
  log.info({ flow: 'open-wallet', chain, appId, family, address }, 'a wallet is watched from now on');
  return address;
}
