// AccountPermissionUpdateContract: who may sign for an account.
import type { contractSchemas } from '../protocol/contracts.ts';
import { invalid } from '../protocol/rejection.ts';
import type { MessageOf } from '../protocol/schema.ts';
import type { Permission } from '../state/account.ts';
import type { Actuator } from './actuator.ts';

type Update = MessageOf<typeof contractSchemas.AccountPermissionUpdateContract>;
type WirePermission = NonNullable<Update['owner']>;

const mostKeys = 5;
const mostActives = 8;

export const permissionUpdate: Actuator<Update> = (value, { world, parameters, now }) => {
  const { owner_address: from, owner, actives } = value;
  const account = world.account(from);
  if (account === undefined) throw invalid('ownerAddress account does not exist');
  if (owner === undefined) throw invalid('owner permission is missed');
  if (actives.length === 0) throw invalid('active permission is missed');
  if (actives.length > mostActives) throw invalid('active permission is too many');
  for (const permission of [owner, ...actives]) check(permission);
  const fee = parameters.getUpdateAccountPermissionFee;
  if (account.balance < fee) throw invalid('balance is not sufficient to pay the permission update fee');
  world.updateAccount(from, now, (old) => ({
    balance: old.balance - fee,
    permissions: {
      owner: toPermission(owner, 0n),
      actives: actives.map((active, index) => toPermission(active, BigInt(index + 2))),
    },
  }));
  return { fee };
};

function check(permission: WirePermission): void {
  if (permission.keys.length === 0) throw invalid("key's count should be greater than 0");
  if (permission.keys.length > mostKeys)
    throw invalid(`number of keys in permission should not be greater than ${mostKeys}`);
  if (permission.threshold <= 0n) throw invalid("permission's threshold should be greater than 0");
  const addresses = new Set(permission.keys.map((key) => key.address));
  if (addresses.size !== permission.keys.length) {
    throw invalid('address should be distinct in permission');
  }
  const weight = permission.keys.reduce((sum, key) => sum + key.weight, 0n);
  if (weight < permission.threshold) {
    throw invalid("sum of all key's weight should not be less than threshold in permission");
  }
  if (permission.type === 'Active' && permission.operations.length !== 64) {
    throw invalid('operations size must 32');
  }
}

function toPermission(permission: WirePermission, id: bigint): Permission {
  return {
    id,
    name: permission.permission_name,
    threshold: permission.threshold,
    operations: permission.operations,
    keys: permission.keys.map(({ address, weight }) => ({ address, weight })),
  };
}
