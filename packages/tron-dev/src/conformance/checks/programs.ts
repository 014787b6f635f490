// Checks of contracts that move TRX, with contracts of a few bytes.
import { randomBytes } from 'node:crypto';
import { createdAddress } from '../../protocol/contract-address.ts';
import { contractSchemas, smartContract } from '../../protocol/contracts.ts';
import { bytesToHex, textToHex } from '../../protocol/hex.ts';
import { make } from '../../protocol/schema.ts';
import { addressOfKey } from '../../protocol/signature.ts';
import { type Check, type CheckContext, holds, same } from '../check.ts';
import { at, integerAt, type Json, listAt } from '../node-client.ts';
import { broadcastHex, included, signedBy } from '../transactions.ts';

const feeLimit = 1_000_000_000n;

const freshAddress = () => addressOfKey(bytesToHex(randomBytes(32)));

/** Code that sends the received TRX to the address in the data, and ends with `rest`. */
const forwarding = (rest: string) => `6000600060006000346000355af1${rest}`;
const forwarder = forwarding('00');
const forwarderThatReverts = forwarding('60006000fd');
/** Code that sends the received TRX to itself. */
const selfPayer = '600060006000600034305af100';

/** The init code that deploys at most 32 bytes of code. */
function initOf(code: string): string {
  const length = code.length / 2;
  const hex = (value: number) => value.toString(16).padStart(2, '0');
  return `${hex(0x5f + length)}${code}60005260${hex(length)}60${hex(32 - length)}f3`;
}

interface Deployed {
  readonly address: string;
  readonly txId: string;
  readonly info: Json;
}

async function deploy(context: CheckContext, bytecode: string, callValue = 0n): Promise<Deployed> {
  const owner = context.payer.address;
  const definition = { origin_address: owner, bytecode, name: 'Check', call_value: callValue };
  const terms = { consume_user_resource_percent: 100n, origin_energy_limit: 10_000_000n };
  const new_contract = make(smartContract, { ...definition, ...terms });
  const value = make(contractSchemas.CreateSmartContract, { owner_address: owner, new_contract });
  const tx = await signedBy(context, { name: 'CreateSmartContract', value }, feeLimit);
  return { address: createdAddress(tx.txId, owner), txId: tx.txId, info: await included(context, tx) };
}

/** Deploys the code and sends it `sun` with an address as data. Returns the receipt. */
async function run(context: CheckContext, code: string, to: string, sun: bigint): Promise<Json> {
  const { address } = await deploy(context, initOf(code));
  const value = make(contractSchemas.TriggerSmartContract, {
    owner_address: context.payer.address,
    contract_address: address,
    call_value: sun,
    data: to.slice(2).padStart(64, '0'),
  });
  return included(context, await signedBy(context, { name: 'TriggerSmartContract', value }, feeLimit));
}

const balanceOf = async ({ node }: CheckContext, address: string) =>
  integerAt(await node.full('getaccount', { address }), 'balance');

export const programChecks: readonly Check[] = [
  {
    name: 'a deployment shows the address of its contract, which has no permissions and no time of creation',
    run: async (context) => {
      const { address, txId, info } = await deploy(context, initOf('00'));
      same(info['contract_address'], address, 'receipt');
      const shown = await context.node.full('gettransactionbyid', { value: txId });
      same(shown['contract_address'], address, 'transaction');
      const account = await context.node.full('getaccount', { address });
      same(account['type'], 'Contract', 'type');
      const { owner_permission: owner, active_permission: active, create_time: time } = account;
      same([owner, active, time], [undefined, undefined, undefined], 'account');
      same((await context.node.full('getcontractinfo', { value: address }))['runtimecode'], '00', 'code');
    },
  },
  {
    name: 'a payment by a contract is an internal transaction with its sender, receiver, value and note',
    run: async (context) => {
      const to = freshAddress();
      const info = await run(context, forwarder, to, 7n);
      const [internal, ...more] = listAt(info, 'internal_transactions');
      same(more, [], 'further internal transactions');
      same(internal?.['transferTo_address'], to, 'receiver');
      same(internal?.['caller_address'], info['contract_address'], 'sender');
      same(internal?.['callValueInfo'], [{ callValue: 7n }], 'value');
      same([internal?.['note'], internal?.['rejected']], [textToHex('call'), undefined], 'note');
      same(await balanceOf(context, to), 7n, 'balance');
    },
  },
  {
    name: 'a payment by a contract to a new address costs 25,000 energy more than to a known one',
    run: async (context) => {
      const to = freshAddress();
      const [first, second] = [await run(context, forwarder, to, 1n), await run(context, forwarder, to, 1n)];
      const energy = (info: Json) => integerAt(info, 'receipt', 'energy_usage_total');
      same(energy(first) - energy(second), 25_000n, 'difference');
    },
  },
  {
    name: 'a payment by a contract that reverts is rejected, and kept in the receipt',
    run: async (context) => {
      const to = freshAddress();
      const info = await run(context, forwarderThatReverts, to, 7n);
      same([info['result'], at(info, 'receipt', 'result')], ['FAILED', 'REVERT'], 'result');
      same(at(info, 'internal_transactions', 0, 'rejected'), true, 'rejected');
      same(info['resMessage'], textToHex('REVERT opcode executed'), 'resMessage');
      same(await context.node.full('getaccount', { address: to }), {}, 'receiver');
    },
  },
  {
    name: 'a contract that pays itself is TRANSFER_FAILED, without an internal transaction',
    run: async (context) => {
      const info = await run(context, selfPayer, freshAddress(), 7n);
      same([info['result'], at(info, 'receipt', 'result')], ['FAILED', 'TRANSFER_FAILED'], 'result');
      same(info['internal_transactions'], undefined, 'internal transactions');
      const words = 'transfer trx failed: Cannot transfer TRX to yourself.';
      same(info['resMessage'], textToHex(words), 'resMessage');
    },
  },
  {
    name: 'a constructor that destroys its contract pays 25,000 energy for a new heir, and leaves no account',
    run: async (context) => {
      const heir = freshAddress();
      const { address, info } = await deploy(context, `73${heir.slice(2)}ff`, 7n);
      same(at(info, 'receipt', 'result'), 'SUCCESS', 'result');
      same(integerAt(info, 'receipt', 'energy_usage_total'), 25_003n, 'energy');
      same(await context.node.full('getaccount', { address }), {}, 'contract');
      same(await balanceOf(context, heir), 7n, 'heir');
    },
  },
  {
    name: 'more TRX with a call than there is makes it CONTRACT_VALIDATE_ERROR',
    run: async (context) => {
      const { address } = await deploy(context, initOf('00'));
      const value = make(contractSchemas.TriggerSmartContract, {
        owner_address: context.payer.address,
        contract_address: address,
        call_value: 10n ** 18n,
      });
      const tx = await signedBy(context, { name: 'TriggerSmartContract', value }, feeLimit);
      same((await broadcastHex(context, tx))['code'], 'CONTRACT_VALIDATE_ERROR', 'code');
    },
  },
  {
    name: 'what a call uses is answered before it is sent, and the estimate is above it',
    run: async (context) => {
      const { address } = await deploy(context, initOf(forwarder));
      const call = {
        owner_address: context.payer.address,
        contract_address: address,
        data: context.payer.address.slice(2).padStart(64, '0'),
      };
      const used = integerAt(await context.node.full('triggerconstantcontract', call), 'energy_used');
      holds(used > 0n, 'nothing was used');
      const estimate = await context.node.full('estimateenergy', call);
      same(estimate['result'], { result: true }, 'result');
      holds(integerAt(estimate, 'energy_required') >= used, 'the estimate is below');
    },
  },
  {
    name: 'a call of no contract is CONTRACT_VALIDATE_ERROR in its result, and no contract is {}',
    run: async ({ node, payer }) => {
      const owner_address = payer.address;
      const nowhere = { owner_address, contract_address: freshAddress(), data: '00' };
      for (const call of ['triggerconstantcontract', 'triggersmartcontract', 'estimateenergy']) {
        const answer = await node.full(call, nowhere);
        same(
          [at(answer, 'result', 'code'), at(answer, 'result', 'result')],
          ['CONTRACT_VALIDATE_ERROR', undefined],
          call,
        );
      }
      same(await node.full('getcontract', { value: nowhere.contract_address }), {}, 'getcontract');
    },
  },
];
