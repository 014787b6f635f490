// Checks of accounts, of what they use, and of building transactions for them.
import { randomBytes } from 'node:crypto';
import { contractSchemas } from '../../protocol/contracts.ts';
import { sha256 } from '../../protocol/hash.ts';
import { bytesToHex, textToHex } from '../../protocol/hex.ts';
import { make } from '../../protocol/schema.ts';
import { addressOfKey } from '../../protocol/signature.ts';
import { type ContractCall, encodeTransaction } from '../../protocol/transaction.ts';
import { type Check, type CheckContext, holds, same } from '../check.ts';
import { at, integerAt, type Json, listAt } from '../node-client.ts';
import { included, signedBy, transferCall } from '../transactions.ts';

const sunPerTrx = 1_000_000n;
/** The bytes that java-tron adds to the size of a transaction for its result. */
const resultBytes = 64n;

const freshAddress = () => addressOfKey(bytesToHex(randomBytes(32)));

async function witnessOf({ node }: CheckContext): Promise<string> {
  return String(at(await node.full('getblock', {}), 'block_header', 'raw_data', 'witness_address'));
}

async function parameters({ node }: CheckContext): Promise<ReadonlyMap<string, bigint>> {
  const all = listAt(await node.full('getchainparameters'), 'chainParameter');
  return new Map(all.map((entry) => [String(entry['key']), integerAt(entry, 'value')]));
}

async function newAccount(context: CheckContext): Promise<Json> {
  const to = freshAddress();
  await included(context, await signedBy(context, transferCall(context.payer.address, to, 1n)));
  return context.node.full('getaccount', { address: to });
}

/** A check that a builder refuses, with java-tron's class and words. */
function notBuilt(name: string, call: string, body: (context: CheckContext) => Json, words: string): Check {
  return {
    name: `${name} is not built: ${words}`,
    run: async (context) => {
      const answer = await context.node.full(call, body(context));
      const error = String(answer['Error']);
      holds(error.includes('ContractValidateException') && error.includes(words), error);
    },
  };
}

const transferOf = (payer: string, to: string, amount: bigint): Json => ({
  owner_address: payer,
  to_address: to,
  amount,
});

const builderChecks: readonly Check[] = [
  {
    name: 'a built transaction has the id of its bytes, lives for a minute, and is not signed',
    run: async (context) => {
      const { node, payer } = context;
      const to = await witnessOf(context);
      const headTime = async () =>
        integerAt(await node.full('getblock', {}), 'block_header', 'raw_data', 'timestamp');
      const before = await headTime();
      const built = await node.full('createtransaction', transferOf(payer.address, to, 5n));
      const after = await headTime();
      same(built['txID'], sha256(String(built['raw_data_hex'])), 'txID');
      const begins = integerAt(built, 'raw_data', 'expiration') - 60_000n;
      holds(begins >= before && begins <= after, 'the expiration is not a minute after the head');
      same([built['signature'], built['ret'], built['visible']], [undefined, undefined, false], 'rest');
    },
  },
  notBuilt(
    'a transfer of nothing',
    'createtransaction',
    ({ payer }) => transferOf(payer.address, freshAddress(), 0n),
    'Amount must be greater than 0.',
  ),
  notBuilt(
    'a transfer to oneself',
    'createtransaction',
    ({ payer }) => transferOf(payer.address, payer.address, 1n),
    'Cannot transfer TRX to yourself.',
  ),
  notBuilt(
    'a transfer of an account that is not there',
    'createtransaction',
    ({ payer }) => transferOf(freshAddress(), payer.address, 1n),
    'no OwnerAccount.',
  ),
  notBuilt(
    'a transfer of more than there is',
    'createtransaction',
    ({ payer }) => transferOf(payer.address, freshAddress(), 10n ** 18n),
    'balance is not sufficient.',
  ),
  notBuilt(
    'a stake of less than a TRX',
    'freezebalancev2',
    ({ payer }) => ({ owner_address: payer.address, frozen_balance: sunPerTrx - 1n, resource: 'ENERGY' }),
    'frozenBalance must be greater than or equal to 1 TRX',
  ),
  notBuilt(
    'a delegation to oneself',
    'delegateresource',
    ({ payer }) => ({
      owner_address: payer.address,
      receiver_address: payer.address,
      balance: sunPerTrx,
      resource: 'ENERGY',
    }),
    'receiverAddress must not be the same as ownerAddress',
  ),
];

export const accountChecks: readonly Check[] = [
  {
    name: 'a new account has an owner and an active permission of one key, and no stake',
    run: async (context) => {
      const account = await newAccount(context);
      same(account['type'], undefined, 'type');
      same(at(account, 'owner_permission', 'threshold'), 1n, 'threshold');
      same(at(account, 'active_permission', 0, 'id'), 2n, 'active permission');
      same(at(account, 'active_permission', 0, 'type'), 'Active', 'type of it');
      same(account['frozenV2'], [{}, { type: 'ENERGY' }, { type: 'TRON_POWER' }], 'stake');
      holds(integerAt(account, 'create_time') > 0n, 'it has no time of creation');
    },
  },
  {
    name: 'an account shows the windows in which its use recovers',
    run: async (context) => {
      const account = await newAccount(context);
      const { net_window_size: size, net_window_optimized: isOptimized } = account;
      same([size, isOptimized], [28_800_000n, true], 'bandwidth');
      same(at(account, 'account_resource', 'energy_window_size'), 28_800_000n, 'energy');
      same(at(account, 'account_resource', 'energy_window_optimized'), true, 'energy, optimized');
    },
  },
  {
    name: 'a new account has the free bandwidth of the chain parameters, and no energy',
    run: async (context) => {
      const { address } = await newAccount(context);
      const shown = await context.node.full('getaccountresource', { address });
      const all = await parameters(context);
      same(shown['freeNetLimit'], all.get('getFreeNetLimit'), 'free bandwidth');
      same(
        [shown['freeNetUsed'], shown['EnergyLimit'], shown['EnergyUsed']],
        [undefined, undefined, undefined],
        'use',
      );
      same(shown['TotalEnergyLimit'], all.get('getTotalEnergyCurrentLimit'), 'energy of all');
    },
  },
  {
    name: 'a transfer uses the bandwidth of its bytes and 64 more, or burns it at the price, never a part of each',
    run: async (context) => {
      const tx = await signedBy(context, transferCall(context.payer.address, await witnessOf(context), 7n));
      const info = await included(context, tx);
      const size = BigInt(encodeTransaction(tx, []).length / 2) + resultBytes;
      const [usage, fee] = [integerAt(info, 'receipt', 'net_usage'), integerAt(info, 'receipt', 'net_fee')];
      const price = (await parameters(context)).get('getTransactionFee') ?? 0n;
      same([usage, fee], usage === 0n ? [0n, size * price] : [size, 0n], 'bandwidth');
      same(integerAt(info, 'fee'), fee, 'fee');
    },
  },
  {
    name: 'a memo costs the memo fee, which the receipt shows and the transaction does not',
    run: async (context) => {
      const call = transferCall(context.payer.address, await witnessOf(context), 8n);
      const tx = await signedBy(context, call, 0n, { memo: textToHex('order 7') });
      const info = await included(context, tx);
      const memoFee = (await parameters(context)).get('getMemoFee') ?? 0n;
      same(integerAt(info, 'fee'), memoFee + integerAt(info, 'receipt', 'net_fee'), 'fee');
      const shown = await context.node.full('gettransactionbyid', { value: tx.txId });
      same(at(shown, 'raw_data', 'data'), textToHex('order 7'), 'memo');
      same(shown['ret'], [{ contractRet: 'SUCCESS' }], 'ret');
    },
  },
  {
    name: 'what is burned is counted for the whole chain',
    run: async (context) => {
      const burned = async () => integerAt(await context.node.full('getburntrx'), 'burnTrxAmount');
      const before = await burned();
      const call: ContractCall = {
        name: 'AccountCreateContract',
        value: make(contractSchemas.AccountCreateContract, {
          owner_address: context.payer.address,
          account_address: freshAddress(),
        }),
      };
      const info = await included(context, await signedBy(context, call));
      holds((await burned()) >= before + integerAt(info, 'fee'), 'the fee was not counted');
      holds(integerAt(info, 'fee') > 0n, 'there was no fee');
    },
  },
  {
    name: 'cancelled thawing names the three resources, zeros written',
    run: async (context) => {
      const owner_address = context.payer.address;
      const stake = { owner_address, resource: 'ENERGY' } as const;
      const calls: readonly ContractCall[] = [
        {
          name: 'FreezeBalanceV2Contract',
          value: make(contractSchemas.FreezeBalanceV2Contract, { ...stake, frozen_balance: sunPerTrx }),
        },
        {
          name: 'UnfreezeBalanceV2Contract',
          value: make(contractSchemas.UnfreezeBalanceV2Contract, { ...stake, unfreeze_balance: sunPerTrx }),
        },
        {
          name: 'CancelAllUnfreezeV2Contract',
          value: make(contractSchemas.CancelAllUnfreezeV2Contract, { owner_address }),
        },
      ];
      let info: Json = {};
      for (const call of calls) info = await included(context, await signedBy(context, call));
      same(
        info['cancel_unfreezeV2_amount'],
        [
          { key: 'ENERGY', value: sunPerTrx },
          { key: 'TRON_POWER', value: 0n },
          { key: 'BANDWIDTH', value: 0n },
        ],
        'amounts',
      );
    },
  },
  {
    name: 'an account that has nothing thawing can withdraw nothing, and thaw 32 times more',
    run: async (context) => {
      const { node } = context;
      const { address: owner_address = '' } = await newAccount(context);
      const timestamp = BigInt(Date.now());
      same(await node.full('getcanwithdrawunfreezeamount', { owner_address, timestamp }), {}, 'amount');
      same(await node.full('getavailableunfreezecount', { owner_address }), { count: 32n }, 'count');
      const nobody = { owner_address: freshAddress() };
      same(await node.full('getavailableunfreezecount', nobody), {}, 'count of no account');
    },
  },
  ...builderChecks,
];
