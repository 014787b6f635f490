// The JSON of an account.
import { resourceNames } from '../../protocol/contracts.ts';
import { type Account, type Permission, permissionOf, type Usage } from '../../state/account.ts';
import { slotAt, usedAt } from '../../state/usage.ts';
import { showAddress } from './print-message.ts';
import { withoutZeros } from './without-zeros.ts';

/** The slots of a day in thousandths. Usage recovers over a fixed day here, while java-tron adapts this window. */
const windowSize = 28_800_000;

/** `now` is the time of the head, milliseconds. A contract has no permissions and no time of creation. */
export function printAccount(address: string, account: Account, now: bigint, isVisible: boolean): unknown {
  const show = (hex: string) => (isVisible ? showAddress(hex) : hex);
  const tokens = Object.entries(account.tokens);
  const unfreezing = account.unfreezing.map(({ resource, amount, expireTime }) => ({
    ...(resource !== 'BANDWIDTH' && { type: resource }),
    unfreeze_amount: amount,
    unfreeze_expire_time: expireTime,
  }));
  return {
    ...(account.isContract && { type: 'Contract' }),
    address: show(address),
    ...withoutZeros({ balance: account.balance, create_time: account.isContract ? 0n : account.createTime }),
    ...printUsage('net_usage', 'latest_consume_time', account.bandwidth, now),
    ...printUsage('free_net_usage', 'latest_consume_free_time', account.freeBandwidth, now),
    net_window_size: windowSize,
    net_window_optimized: true,
    account_resource: {
      ...printUsage('energy_usage', 'latest_consume_time_for_energy', account.energy, now),
      energy_window_size: windowSize,
      energy_window_optimized: true,
      ...withoutZeros({
        delegated_frozenV2_balance_for_energy: account.lent.ENERGY,
        acquired_delegated_frozenV2_balance_for_energy: account.borrowed.ENERGY,
      }),
    },
    ...withoutZeros({
      delegated_frozenV2_balance_for_bandwidth: account.lent.BANDWIDTH,
      acquired_delegated_frozenV2_balance_for_bandwidth: account.borrowed.BANDWIDTH,
    }),
    ...(account.isContract ? {} : printPermissions(address, account, show)),
    frozenV2: resourceNames.map((resource) => ({
      ...(resource !== 'BANDWIDTH' && { type: resource }),
      ...withoutZeros({ amount: account.frozen[resource] }),
    })),
    ...(unfreezing.length > 0 && { unfrozenV2: unfreezing }),
    ...(tokens.length > 0 && {
      assetV2: tokens.map(([key, value]) => ({ key, value })),
    }),
    asset_optimized: true,
  };
}

function printUsage(name: string, time: string, usage: Usage, now: bigint): Record<string, bigint> {
  return withoutZeros({ [name]: usedAt(usage, slotAt(now)), [time]: usage.slot * 3000n });
}

function printPermissions(address: string, account: Account, show: (hex: string) => string): object {
  const owner = permissionOf(account, address, 0n);
  const actives = account.permissions?.actives ?? [permissionOf(account, address, 2n)];
  return {
    ...(owner && { owner_permission: printPermission(owner, null, show) }),
    active_permission: actives.flatMap((active) => (active ? [printPermission(active, 'Active', show)] : [])),
  };
}

export function printPermission(
  permission: Permission,
  type: string | null,
  show: (hex: string) => string,
): unknown {
  return {
    ...(type !== null && { type }),
    ...withoutZeros({ id: permission.id }),
    permission_name: permission.name,
    threshold: permission.threshold,
    ...(permission.operations !== '' && { operations: permission.operations }),
    keys: permission.keys.map(({ address, weight }) => ({ address: show(address), weight })),
  };
}
