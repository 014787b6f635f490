// The energy table of the Tron virtual machine, which replaces entries of the EVM's gas table.
import { Hardfork, Mainnet, createCustomCommon, type Common } from '@ethereumjs/common';
import { type EVMOpts, paramsEVM } from '@ethereumjs/evm';

/**
 * Prices that differ from the EVM's rules of 2019 (Petersburg). Those rules have flat storage costs as Tron has: 20,000
 * to fill an empty slot, 5,000 to change or clear one. On Tron a memory access costs 1 (proposal 81) and a copy
 * nothing, besides the growth of memory and the words copied. Keys are those of the EVM's own table, by the change that
 * set them.
 */
const tronPrices: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  1: { mloadGas: 1, mstoreGas: 1, mstore8Gas: 1, calldatacopyGas: 0, codecopyGas: 0 },
  608: {
    sloadGas: 50,
    callGas: 40,
    callcodeGas: 40,
    delegatecallGas: 40,
    extcodesizeGas: 20,
    extcodecopyGas: 20,
    balanceGas: 20,
    selfdestructGas: 0,
  },
  607: { expByteGas: 10 },
  609: { staticcallGas: 40, returndatacopyGas: 0 },
};

/** The EVM's parameters with Tron's prices in place of Ethereum's. */
export function tronParams(): NonNullable<EVMOpts['params']> {
  const params: Record<string, Record<string, number | string | null>> = structuredClone(paramsEVM);
  for (const [change, prices] of Object.entries(tronPrices)) {
    params[change] = { ...params[change], ...prices };
  }
  return params;
}

/** Petersburg plus opcodes that Tron has added since: PUSH0, TLOAD and TSTORE. The others are in vm/tron-opcodes.ts. */
export function tronCommon(chainId: number): Common {
  return createCustomCommon({ chainId, name: 'tron-dev' }, Mainnet, {
    hardfork: Hardfork.Petersburg,
    eips: [3855, 1153],
  });
}
