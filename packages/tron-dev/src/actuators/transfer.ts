// TransferContract: TRX from one account to another, which is activated where it does not exist.
import { isAddressHex } from '../protocol/address.ts';
import type { contractSchemas } from '../protocol/contracts.ts';
import { invalid } from '../protocol/rejection.ts';
import type { MessageOf } from '../protocol/schema.ts';
import type { Actuator } from './actuator.ts';

type Transfer = MessageOf<typeof contractSchemas.TransferContract>;

export const transfer: Actuator<Transfer> = ({ owner_address: from, to_address: to, amount }, context) => {
  const { world, parameters, now } = context;
  if (!isAddressHex(from)) throw invalid('Invalid ownerAddress!');
  if (!isAddressHex(to)) throw invalid('Invalid toAddress!');
  if (from === to) throw invalid('Cannot transfer TRX to yourself.');
  const owner = world.account(from);
  if (owner === undefined) throw invalid('Validate TransferContract error, no OwnerAccount.');
  if (amount <= 0n) throw invalid('Amount must be greater than 0.');
  const receiver = world.account(to);
  if (receiver?.isContract === true && parameters.getForbidTransferToContract === 1n) {
    throw invalid('Cannot transfer TRX to a smartContract.');
  }
  const fee = receiver === undefined ? parameters.getCreateNewAccountFeeInSystemContract : 0n;
  if (owner.balance < amount + fee) {
    throw invalid('Validate TransferContract error, balance is not sufficient.');
  }
  world.updateAccount(from, now, (old) => ({ balance: old.balance - amount - fee }));
  world.updateAccount(to, now, (old) => ({ balance: old.balance + amount }));
  return { fee };
};
