// AccountCreateContract: activates an address without sending it anything.
import { isAddressHex } from '../protocol/address.ts';
import type { contractSchemas } from '../protocol/contracts.ts';
import { invalid } from '../protocol/rejection.ts';
import type { MessageOf } from '../protocol/schema.ts';
import type { Actuator } from './actuator.ts';

type AccountCreate = MessageOf<typeof contractSchemas.AccountCreateContract>;

export const accountCreate: Actuator<AccountCreate> = (value, { world, parameters, now }) => {
  const { owner_address: from, account_address: to } = value;
  if (!isAddressHex(from)) throw invalid('Invalid ownerAddress');
  const owner = world.account(from);
  if (owner === undefined) throw invalid(`Account[${from}] not exists`);
  const fee = parameters.getCreateNewAccountFeeInSystemContract;
  if (owner.balance < fee) throw invalid('Validate CreateAccountActuator error, insufficient fee.');
  if (!isAddressHex(to)) throw invalid('Invalid account address');
  if (world.account(to) !== undefined) throw invalid('Account has existed');
  world.updateAccount(from, now, (old) => ({ balance: old.balance - fee }));
  world.updateAccount(to, now, () => ({}));
  return { fee };
};
