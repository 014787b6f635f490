// Checks of delegating stake and taking it back, signed by an active permission of the account.
import { randomBytes } from 'node:crypto';
import { contractSchemas } from '../../protocol/contracts.ts';
import { bytesToHex } from '../../protocol/hex.ts';
import { make } from '../../protocol/schema.ts';
import { addressOfKey } from '../../protocol/signature.ts';
import type { ContractCall } from '../../protocol/transaction.ts';
import { type Check, type CheckContext, holds, same } from '../check.ts';
import { integerAt, type Json, listAt } from '../node-client.ts';
import { broadcastHex, included, signedBy, transferCall } from '../transactions.ts';

const sunPerTrx = 1_000_000n;
/** The default active permission, which every account has from the start beside the owner's. */
const active = { permissionId: 2n };

/** How much of the payer's coin each run leaves staked for energy. */
const staked = 3n * sunPerTrx;
const delegated = 2n * sunPerTrx;

async function stake(context: CheckContext): Promise<void> {
  const value = { owner_address: context.payer.address, frozen_balance: staked, resource: 'ENERGY' } as const;
  const call = {
    name: 'FreezeBalanceV2Contract',
    value: make(contractSchemas.FreezeBalanceV2Contract, value),
  } as const;
  await included(context, await signedBy(context, call));
}

/** The two contracts have the same fields and differ only in name. */
function energyOf(from: string, to: string, balance: bigint, isDelegating: boolean): ContractCall {
  const value = { owner_address: from, receiver_address: to, balance, resource: 'ENERGY' } as const;
  return isDelegating
    ? { name: 'DelegateResourceContract', value: make(contractSchemas.DelegateResourceContract, value) }
    : { name: 'UnDelegateResourceContract', value: make(contractSchemas.UnDelegateResourceContract, value) };
}

async function mostOf({ node, payer }: CheckContext): Promise<bigint> {
  return integerAt(
    await node.full('getcandelegatedmaxsize', { owner_address: payer.address, type: 1 }),
    'max_size',
  );
}

async function delegationsTo({ node, payer }: CheckContext, to: string): Promise<readonly Json[]> {
  const asked = { fromAddress: payer.address, toAddress: to };
  return listAt(await node.full('getdelegatedresourcev2', asked), 'delegatedResource');
}

export const delegationChecks: readonly Check[] = [
  {
    name: 'energy of a stake is delegated to an account, shown, and taken back, by an active permission',
    run: async (context) => {
      const { payer } = context;
      const to = addressOfKey(bytesToHex(randomBytes(32)));
      await stake(context);
      await included(context, await signedBy(context, transferCall(payer.address, to, 1n)));
      const before = await mostOf(context);
      holds(before >= delegated, 'what was staked can be delegated');
      const give = energyOf(payer.address, to, delegated, true);
      const info = await included(context, await signedBy(context, give, 0n, active));
      same(info['result'], undefined, 'result');
      const shown = await delegationsTo(context, to);
      same(
        shown.map((one) => integerAt(one, 'frozen_balance_for_energy')),
        [delegated],
        'delegations',
      );
      same(await mostOf(context), before - delegated, 'what is left');
      await included(
        context,
        await signedBy(context, energyOf(payer.address, to, delegated, false), 0n, active),
      );
      same(await delegationsTo(context, to), [], 'delegations afterwards');
      same(await mostOf(context), before, 'what is left afterwards');
    },
  },
  {
    name: 'what is delegated with a lock stands apart, and only what has none can be taken back',
    run: async (context) => {
      const { payer } = context;
      const to = addressOfKey(bytesToHex(randomBytes(32)));
      await stake(context);
      await included(context, await signedBy(context, transferCall(payer.address, to, 1n)));
      await included(context, await signedBy(context, energyOf(payer.address, to, sunPerTrx, true)));
      const locked = make(contractSchemas.DelegateResourceContract, {
        owner_address: payer.address,
        receiver_address: to,
        balance: sunPerTrx,
        resource: 'ENERGY',
        lock: true,
        lock_period: 1200n,
      });
      await included(context, await signedBy(context, { name: 'DelegateResourceContract', value: locked }));
      const shown = await delegationsTo(context, to);
      const isLocked = shown.map((one) => integerAt(one, 'expire_time_for_energy') > 0n);
      same(isLocked, [false, true], 'records');
      const index = await context.node.full('getdelegatedresourceaccountindexv2', { value: to });
      same(index['fromAccounts'], [payer.address], 'index');
      const both = await signedBy(context, energyOf(payer.address, to, 2n * sunPerTrx, false));
      same((await broadcastHex(context, both))['code'], 'CONTRACT_VALIDATE_ERROR', 'both');
      await included(context, await signedBy(context, energyOf(payer.address, to, sunPerTrx, false)));
      same((await delegationsTo(context, to)).length, 1, 'records afterwards');
    },
  },
  {
    name: 'delegating to an account that was never activated, and taking back what is not delegated, are refused',
    run: async (context) => {
      const { payer } = context;
      const to = addressOfKey(bytesToHex(randomBytes(32)));
      await stake(context);
      for (const isDelegating of [true, false]) {
        const call = energyOf(payer.address, to, delegated, isDelegating);
        const answer = await broadcastHex(context, await signedBy(context, call, 0n, active));
        same(answer['code'], 'CONTRACT_VALIDATE_ERROR', 'code');
      }
    },
  },
];
