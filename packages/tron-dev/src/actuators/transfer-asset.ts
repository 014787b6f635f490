// TransferAssetContract: TRC-10 tokens from one account to another.
import { isAddressHex } from '../protocol/address.ts';
import type { contractSchemas } from '../protocol/contracts.ts';
import { hexToText } from '../protocol/hex.ts';
import { invalid } from '../protocol/rejection.ts';
import type { MessageOf } from '../protocol/schema.ts';
import type { Account } from '../state/account.ts';
import type { Actuator } from './actuator.ts';

type TransferAsset = MessageOf<typeof contractSchemas.TransferAssetContract>;

export const transferAsset: Actuator<TransferAsset> = (value, { world, parameters, now }) => {
  const { owner_address: from, to_address: to, amount } = value;
  const id = hexToText(value.asset_name) ?? '';
  if (!isAddressHex(from)) throw invalid('Invalid ownerAddress');
  if (!isAddressHex(to)) throw invalid('Invalid toAddress');
  if (amount <= 0n) throw invalid('Amount must be greater than 0.');
  if (from === to) throw invalid('Cannot transfer asset to yourself.');
  const owner = world.account(from);
  if (owner === undefined) throw invalid('No owner account!');
  if (world.get('tokens', id) === undefined) throw invalid('No asset!');
  const held = owner.tokens[id] ?? 0n;
  if (held <= 0n) throw invalid('assetBalance must be greater than 0.');
  if (amount > held) throw invalid('assetBalance is not sufficient.');
  const receiver = world.account(to);
  if (receiver?.isContract === true && parameters.getForbidTransferToContract === 1n) {
    throw invalid('Cannot transfer asset to smartContract.');
  }
  const fee = receiver === undefined ? parameters.getCreateNewAccountFeeInSystemContract : 0n;
  if (owner.balance < fee) throw invalid('Validate TransferAssetActuator error, insufficient fee.');
  world.updateAccount(from, now, (old) => ({
    balance: old.balance - fee,
    tokens: withToken(old, id, -amount),
  }));
  world.updateAccount(to, now, (old) => ({ tokens: withToken(old, id, amount) }));
  return { fee };
};

/** The account's token balances after `delta` units more of token `id`. */
export function withToken(account: Account, id: string, delta: bigint): Account['tokens'] {
  return { ...account.tokens, [id]: (account.tokens[id] ?? 0n) + delta };
}
