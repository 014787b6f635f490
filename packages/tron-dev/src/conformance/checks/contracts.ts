// Checks of smart contracts, with a token that is deployed for them.
import * as devToken from '../../contracts/generated/dev-token.ts';
import { contractSchemas, smartContract } from '../../protocol/contracts.ts';
import { make } from '../../protocol/schema.ts';
import type { ContractCall } from '../../protocol/transaction.ts';
import { createdAddress } from '../../protocol/contract-address.ts';
import { type Check, type CheckContext, holds, same } from '../check.ts';
import { at } from '../node-client.ts';
import { included, signedBy } from '../transactions.ts';

const feeLimit = 1_000_000_000n;
const transferTopic = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** Deploys a token and gives the payer 1000 units of it. */
async function deploy(context: CheckContext): Promise<string> {
  const { encodeDeployData } = await import('viem');
  const bytecode = encodeDeployData({ ...devToken, args: ['Check', 'CHK', 0, 1000n] }).slice(2);
  const owner = context.payer.address;
  const new_contract = make(smartContract, {
    origin_address: owner,
    bytecode,
    name: 'Check',
    consume_user_resource_percent: 100n,
    origin_energy_limit: 10_000_000n,
  });
  const value = make(contractSchemas.CreateSmartContract, { owner_address: owner, new_contract });
  const tx = await signedBy(context, { name: 'CreateSmartContract', value }, feeLimit);
  const info = await included(context, tx);
  const address = createdAddress(tx.txId, owner);
  same(info['contract_address'], address, 'address of the contract');
  same(at(info, 'receipt', 'result'), 'SUCCESS', 'result');
  return address;
}

function transferValue(context: CheckContext, token: string, units: bigint) {
  const to = '11'.repeat(20);
  const data = `a9059cbb${to.padStart(64, '0')}${units.toString(16).padStart(64, '0')}`;
  return make(contractSchemas.TriggerSmartContract, {
    owner_address: context.payer.address,
    contract_address: token,
    data,
  });
}

function transferCall(context: CheckContext, token: string, units: bigint): ContractCall {
  return { name: 'TriggerSmartContract', value: transferValue(context, token, units) };
}

export const contractChecks: readonly Check[] = [
  {
    name: 'a token transfer leaves a log with 20 bytes of address, and its energy in the receipt',
    run: async (context) => {
      const token = await deploy(context);
      const info = await included(
        context,
        await signedBy(context, transferCall(context, token, 7n), feeLimit),
      );
      same(at(info, 'receipt', 'result'), 'SUCCESS', 'result');
      same(at(info, 'log', 0, 'address'), token.slice(2), 'log address');
      same(at(info, 'log', 0, 'topics', 0), transferTopic, 'topic');
      same(at(info, 'log', 0, 'data'), '7'.padStart(64, '0'), 'data');
      same(typeof at(info, 'receipt', 'energy_usage_total'), 'bigint', 'energy');
    },
  },
  {
    name: 'a reverted transfer is in a block, FAILED and without logs',
    run: async (context) => {
      const token = await deploy(context);
      const tx = await signedBy(context, transferCall(context, token, 5000n), feeLimit);
      const info = await included(context, tx);
      same(
        [info['result'], at(info, 'receipt', 'result'), info['log']],
        ['FAILED', 'REVERT', undefined],
        'receipt',
      );
      const shown = await context.node.full('gettransactionbyid', { value: tx.txId });
      same(at(shown, 'ret', 0, 'contractRet'), 'REVERT', 'contractRet');
    },
  },
  {
    name: 'a transfer with too small a fee limit ends OUT_OF_ENERGY and loses the limit',
    run: async (context) => {
      const token = await deploy(context);
      const info = await included(
        context,
        await signedBy(context, transferCall(context, token, 1n), 100_000n),
      );
      same(at(info, 'receipt', 'result'), 'OUT_OF_ENERGY', 'result');
      same(info['log'], undefined, 'log');
    },
  },
  {
    name: 'a constant call that reverts keeps result true and is FAILED in ret',
    run: async (context) => {
      const token = await deploy(context);
      const { owner_address, data } = transferValue(context, token, 5000n);
      const answer = await context.node.full('triggerconstantcontract', {
        owner_address,
        contract_address: token,
        data,
      });
      same(at(answer, 'result', 'result'), true, 'result');
      same(at(answer, 'transaction', 'ret', 0, 'ret'), 'FAILED', 'ret');
    },
  },
  {
    name: 'a constant call without a contract runs the code that comes with it, after the solid head',
    run: async ({ node, payer }) => {
      const solidHead = async () =>
        at(await node.solid('getblock', {}), 'block_header', 'raw_data', 'number');
      const before = await solidHead();
      // This code reverts with the number of the block.
      const data = '4360005260206000fd';
      const answer = await node.solid('triggerconstantcontract', { owner_address: payer.address, data });
      same(at(answer, 'result', 'result'), true, 'result');
      same(at(answer, 'transaction', 'ret', 0, 'ret'), 'FAILED', 'ret');
      const number = BigInt(`0x${String(at(answer, 'constant_result', 0))}`);
      const after = await solidHead();
      holds(typeof before === 'bigint' && typeof after === 'bigint', 'the solid head has no number');
      holds(number >= Number(before) && number <= Number(after), 'the code saw another block');
    },
  },
];
