// Calls about accounts, their resources and their delegations.
import { delegatable } from '../../actuators/delegate.ts';
import { mostUnfreezings } from '../../actuators/freeze.ts';
import { toBase58 } from '../../protocol/address.ts';
import { type Delegation, delegationKey, type State } from '../../state/state.ts';
import { slotAt, stakedLimit, usedAt } from '../../state/usage.ts';
import { World } from '../../state/world.ts';
import { asObject } from '../json/parse-message.ts';
import { printAccount } from '../json/print-account.ts';
import { withoutZeros } from '../json/without-zeros.ts';
import { isVisible, readAddress, readHeight, readId, readInteger, readText } from '../read-request.ts';
import type { RouteContext, Routes } from '../route.ts';

/** Calls that both views answer. */
export const accountRoutes: Routes = {
  getaccount: async (params, { view }) => {
    if (readText(params, 'address') === '') return {};
    const address = readAddress(params, 'address');
    const account = (await view.state()).accounts.get(address);
    return account === undefined
      ? {}
      : printAccount(address, account, BigInt(view.head().timestamp), isVisible(params));
  },

  getdelegatedresourcev2: async (params, { view }) => {
    const from = readAddress(params, 'fromAddress');
    const to = readAddress(params, 'toAddress');
    const { delegations } = await view.state();
    const lent = [false, true].flatMap(
      (isLocked) => delegations.get(delegationKey(from, to, isLocked)) ?? [],
    );
    if (lent.length === 0) return {};
    return { delegatedResource: lent.map((one) => printDelegation(one, isVisible(params))) };
  },

  getdelegatedresourceaccountindexv2: async (params, { view }) => {
    const account = readAddress(params, 'value');
    const show = (address: string) => (isVisible(params) ? toBase58(address) : address);
    const all = [...(await view.state()).delegations.values()];
    const once = (addresses: readonly string[]) => [...new Set(addresses)].map(show);
    const fromAccounts = once(all.filter(({ to }) => to === account).map(({ from }) => from));
    const toAccounts = once(all.filter(({ from }) => from === account).map(({ to }) => to));
    return {
      account: show(account),
      ...(fromAccounts.length > 0 && { fromAccounts }),
      ...(toAccounts.length > 0 && { toAccounts }),
    };
  },

  getcandelegatedmaxsize: async (params, { chain, view }) => {
    const world = new World(await view.state());
    const owner = world.account(readAddress(params, 'owner_address'));
    if (owner === undefined) return {};
    const resource = readInteger(params, 'type') === 1n ? 'ENERGY' : 'BANDWIDTH';
    const now = BigInt(view.head().timestamp);
    return withoutZeros({ max_size: delegatable(world, chain.rules.parameters, owner, resource, now) });
  },

  getavailableunfreezecount: async (params, { view }) => {
    const account = (await view.state()).accounts.get(readAddress(params, 'owner_address'));
    if (account === undefined) return {};
    const now = BigInt(view.head().timestamp);
    const waiting = account.unfreezing.filter((entry) => entry.expireTime > now);
    return withoutZeros({ count: BigInt(mostUnfreezings - waiting.length) });
  },

  getcanwithdrawunfreezeamount: async (params, { view }) => {
    const account = (await view.state()).accounts.get(readAddress(params, 'owner_address'));
    const at = readInteger(params, 'timestamp');
    const thawed = (account?.unfreezing ?? []).filter((entry) => entry.expireTime <= at);
    return withoutZeros({ amount: thawed.reduce((sum, entry) => sum + entry.amount, 0n) });
  },
};

/** Only the full node answers these. */
export const resourceRoutes: Routes = {
  /** The balance after a block, which the request names by height and hash. */
  getaccountbalance: (params, { view }) => {
    const identifier = asObject(params['block_identifier']);
    const number = readHeight(identifier, 'number');
    const hash = readId(identifier, 'hash');
    const address = readAddress(asObject(params['account_identifier']), 'address');
    const block = view.blockByNumber(number);
    if (block?.id !== hash) throw new Error('number and hash do not match');
    const balance = block.state.accounts.get(address)?.balance ?? 0n;
    return { balance, block_identifier: { hash, number } };
  },

  getaccountresource: async (params, context) => {
    const state = await context.view.state();
    return resourcesOf(state, readAddress(params, 'address'), context);
  },

  getaccountnet: async (params, context) => {
    const all = resourcesOf(await context.view.state(), readAddress(params, 'address'), context);
    const wanted = ['freeNetUsed', 'freeNetLimit', 'NetUsed', 'NetLimit', 'TotalNetLimit', 'TotalNetWeight'];
    return Object.fromEntries(Object.entries(all).filter(([name]) => wanted.includes(name)));
  },
};

function resourcesOf(state: State, address: string, { chain, view }: RouteContext): Record<string, bigint> {
  const world = new World(state);
  const { parameters } = chain.rules;
  const account = world.account(address);
  if (account === undefined) return {};
  const slot = slotAt(BigInt(view.head().timestamp));
  return withoutZeros({
    freeNetUsed: usedAt(account.freeBandwidth, slot),
    freeNetLimit: parameters.getFreeNetLimit,
    NetUsed: usedAt(account.bandwidth, slot),
    NetLimit: stakedLimit(world, parameters, account, 'BANDWIDTH'),
    TotalNetLimit: parameters.getTotalNetLimit,
    TotalNetWeight: world.total('netWeight'),
    EnergyUsed: usedAt(account.energy, slot),
    EnergyLimit: stakedLimit(world, parameters, account, 'ENERGY'),
    TotalEnergyLimit: parameters.getTotalEnergyCurrentLimit,
    TotalEnergyWeight: world.total('energyWeight'),
    tronPowerLimit:
      (account.frozen.BANDWIDTH + account.frozen.ENERGY + account.frozen.TRON_POWER) / 1_000_000n,
  });
}

function printDelegation(lent: Delegation, visible: boolean): unknown {
  return {
    from: visible ? toBase58(lent.from) : lent.from,
    to: visible ? toBase58(lent.to) : lent.to,
    ...withoutZeros({
      frozen_balance_for_bandwidth: lent.bandwidth,
      frozen_balance_for_energy: lent.energy,
      expire_time_for_bandwidth: lent.bandwidthLockedUntil,
      expire_time_for_energy: lent.energyLockedUntil,
    }),
  };
}
