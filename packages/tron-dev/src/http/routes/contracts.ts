// Calls about smart contracts: constant calls, estimates, building a trigger, definitions.
import { smartContract, contractSchemas } from '../../protocol/contracts.ts';
import { keccak256 } from '../../protocol/hash.ts';
import { hexToText, textToHex } from '../../protocol/hex.ts';
import { internalTransaction, log } from '../../protocol/messages.ts';
import { make } from '../../protocol/schema.ts';
import type { ContractCall } from '../../protocol/transaction.ts';
import { World } from '../../state/world.ts';
import { estimateFeeLimit } from '../../vm/estimate-fee-limit.ts';
import { executeInVm, type ExecutionResult } from '../../vm/execute.ts';
import { createdAddress } from '../../protocol/contract-address.ts';
import { type Json, printMessage } from '../json/print-message.ts';
import { printTransaction } from '../json/print-transaction.ts';
import { isVisible, type Params, readAddress, readInteger, readText } from '../read-request.ts';
import type { Route, RouteContext, Routes } from '../route.ts';
import { describeError } from '../errors.ts';
import { withoutZeros } from '../json/without-zeros.ts';
import { builtTransaction, frameTransaction } from './builders.ts';

/** vm.maxEnergyLimitForConstant of java-tron. */
const constantEnergyLimit = 100_000_000n;

export const constantRoutes: Routes = {
  triggerconstantcontract: errorsInResult(async (params, context) => {
    const call = triggerFrom(params);
    const run = await runConstant(call, context);
    if (run === null) return unknownContract(notThere, params);
    const tx = frameTransaction(call, params, context, 0n);
    const hasFailed = run.result !== 'SUCCESS';
    const shown = printTransaction(tx, null, isVisible(params));
    return {
      result: constantResult(run, params),
      ...withoutZeros({ energy_used: run.energyUsed, energy_penalty: run.penalty }),
      constant_result: [run.returned],
      ...printEffects(run, isVisible(params)),
      transaction: { ret: [hasFailed ? { ret: 'FAILED' } : {}], visible: isVisible(params), ...shown },
    };
  }),

  estimateenergy: errorsInResult(async (params, context) => {
    const call = triggerFrom(params);
    const { getEnergyFee: price, getMaxFeeLimit: highest } = context.chain.rules.parameters;
    const run = await runConstant(call, context, highest / price);
    if (run === null) return unknownContract(notThere, params);
    if (run.result !== 'SUCCESS') {
      const { message } = constantResult(run, params);
      return { result: { code: 'CONTRACT_EXE_ERROR', message } };
    }
    const feeLimit = await estimateFeeLimit(run.energyUsed, price, highest, async (limit) => {
      const tried = await runConstant(call, context, limit / price);
      return tried?.result === 'SUCCESS';
    });
    if (feeLimit === null) return { result: {} };
    return { result: { result: true }, energy_required: (feeLimit + price - 1n) / price };
  }),
};

export const contractRoutes: Routes = {
  /** Builds the transaction. It neither executes the call nor checks balances. */
  triggersmartcontract: errorsInResult(async (params, context) => {
    const call = triggerFrom(params);
    const state = await context.view.state();
    if (!state.contracts.has(call.value.contract_address)) {
      return unknownContract('No contract or not a valid smart contract', params);
    }
    const transaction = builtTransaction(call, params, context, readInteger(params, 'fee_limit'));
    return { result: { result: true }, transaction };
  }),

  getcontract: async (params, { view }) => {
    const contract = (await view.state()).contracts.get(readAddress(params, 'value'));
    if (contract === undefined) return {};
    const definition = { ...contract.definition, code_hash: keccak256(contract.code) };
    return printMessage(smartContract, definition, isVisible(params));
  },

  getcontractinfo: async (params, { view }) => {
    const contract = (await view.state()).contracts.get(readAddress(params, 'value'));
    if (contract === undefined) return {};
    return {
      smart_contract: printMessage(smartContract, contract.definition, isVisible(params)),
      runtimecode: contract.code,
      contract_state: withoutZeros({ energy_factor: contract.energyFactor }),
    };
  },
};

/** These calls never answer with an Error object. Every error is reported in `result`. */
function errorsInResult(route: Route): Route {
  return async (params, context) => {
    try {
      return await route(params, context);
    } catch (error) {
      const message = describeError(error);
      return { result: { code: 'OTHER_ERROR', message: isVisible(params) ? message : textToHex(message) } };
    }
  };
}

/** `message` is text in visible mode, else hex. */
function unknownContract(message: string, params: Params): Json {
  return {
    result: { code: 'CONTRACT_VALIDATE_ERROR', message: isVisible(params) ? message : textToHex(message) },
  };
}

const notThere = 'Smart contract is not exist.';

type TriggerCall = Extract<ContractCall, { name: 'TriggerSmartContract' }>;

function triggerFrom(params: Params): TriggerCall {
  const selector = readText(params, 'function_selector');
  const data =
    selector === ''
      ? readText(params, 'data').replace(/^0x/, '')
      : keccak256(textToHex(selector)).slice(0, 8) + readText(params, 'parameter').replace(/^0x/, '');
  const contract = readText(params, 'contract_address');
  const value = make(contractSchemas.TriggerSmartContract, {
    owner_address: readAddress(params, 'owner_address'),
    contract_address: contract === '' ? '' : readAddress(params, 'contract_address'),
    call_value: readInteger(params, 'call_value'),
    call_token_value: readInteger(params, 'call_token_value'),
    token_id: readInteger(params, 'token_id'),
    data: data.toLowerCase(),
  });
  return { name: 'TriggerSmartContract', value };
}

/**
 * Runs on a copy that is discarded. Without a contract address, `data` is code to deploy. Null where there is no such
 * contract.
 */
async function runConstant(
  { value }: TriggerCall,
  { chain, view }: RouteContext,
  energyLimit = constantEnergyLimit,
): Promise<ExecutionResult | null> {
  const world = new World(await view.state());
  const isCreation = value.contract_address === '';
  if (!isCreation && world.get('contracts', value.contract_address) === undefined) return null;
  const head = view.head();
  const block = {
    common: chain.rules.common,
    number: BigInt(head.number),
    now: BigInt(head.timestamp),
    witness: head.header.witness_address,
  };
  return executeInVm(world, block, {
    txId: '00'.repeat(32),
    caller: value.owner_address,
    to: isCreation ? null : value.contract_address,
    newContract: isCreation ? createdAddress('00'.repeat(32), value.owner_address) : null,
    value: value.call_value,
    data: value.data,
    energyLimit: energyLimit < constantEnergyLimit ? energyLimit : constantEnergyLimit,
  });
}

/** A failed execution keeps `result: true` and only adds a message. The transaction's `ret` shows the failure. */
function constantResult(run: ExecutionResult, params: Params): Json {
  if (run.result === 'SUCCESS') return { result: true };
  return { result: true, message: isVisible(params) ? (hexToText(run.message) ?? run.message) : run.message };
}

function printEffects(run: ExecutionResult, visible: boolean): Json {
  return {
    ...(run.logs.length > 0 && { logs: run.logs.map((entry) => printMessage(log, entry, visible)) }),
    ...(run.internals.length > 0 && {
      internal_transactions: run.internals.map((entry) => printMessage(internalTransaction, entry, visible)),
    }),
  };
}
