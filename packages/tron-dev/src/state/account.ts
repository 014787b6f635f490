// The state of one account.
import type { Resource } from '../protocol/contracts.ts';

/** Usage of a resource: the accumulated amount when it last changed, and the slot number of that change. */
export interface Usage {
  readonly amount: bigint;
  readonly slot: bigint;
}

export interface PermissionKey {
  readonly address: string;
  readonly weight: bigint;
}

export interface Permission {
  readonly id: bigint;
  readonly name: string;
  readonly threshold: bigint;
  /** 32-byte bitmap of allowed contract types; empty for the owner. */
  readonly operations: string;
  readonly keys: readonly PermissionKey[];
}

export interface Unfreezing {
  readonly resource: Resource;
  /** Sun. */
  readonly amount: bigint;
  /** Milliseconds. */
  readonly expireTime: bigint;
}

/** All amounts are sun, apart from token amounts in units of the token. */
export interface Account {
  readonly balance: bigint;
  readonly createTime: bigint;
  readonly isContract: boolean;
  readonly frozen: Readonly<Record<Resource, bigint>>;
  /** Own stake lent to others. */
  readonly lent: Readonly<Record<Resource, bigint>>;
  /** Stake of others lent to this account. */
  readonly borrowed: Readonly<Record<Resource, bigint>>;
  readonly unfreezing: readonly Unfreezing[];
  readonly freeBandwidth: Usage;
  readonly bandwidth: Usage;
  readonly energy: Usage;
  /** TRC-10 balances by token id. */
  readonly tokens: Readonly<Record<string, bigint>>;
  /** Absent where the account has its default permissions. */
  readonly permissions?: { readonly owner: Permission; readonly actives: readonly Permission[] };
}

const nothing: Readonly<Record<Resource, bigint>> = { BANDWIDTH: 0n, ENERGY: 0n, TRON_POWER: 0n };
const unused: Usage = { amount: 0n, slot: 0n };

/** A fresh account. `createTime` is milliseconds. */
export function newAccount(createTime: bigint, isContract = false): Account {
  return {
    balance: 0n,
    createTime,
    isContract,
    frozen: nothing,
    lent: nothing,
    borrowed: nothing,
    unfreezing: [],
    freeBandwidth: unused,
    bandwidth: unused,
    energy: unused,
    tokens: {},
  };
}

/** The bitmap of a default active permission: every contract type that java-tron allows in it. */
const defaultOperations = `7fff1fc0033ec307${'00'.repeat(24)}`;

/** The permission with this id. An account without permissions of its own has the two default ones. */
export function permissionOf(
  account: Account | undefined,
  address: string,
  id: bigint,
): Permission | undefined {
  const keys = [{ address, weight: 1n }];
  const owner: Permission = { id: 0n, name: 'owner', threshold: 1n, operations: '', keys };
  const active: Permission = { id: 2n, name: 'active', threshold: 1n, operations: defaultOperations, keys };
  const all = account?.permissions ?? { owner, actives: [active] };
  return id === 0n ? all.owner : all.actives.find((permission) => permission.id === id);
}
