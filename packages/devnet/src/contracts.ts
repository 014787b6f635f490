// The compiled contracts by name: the good test token and everything hostile, with typed deployments and calls.
import type { Abi, ContractConstructorArgs, ContractFunctionArgs, ContractFunctionName, Hex } from 'viem';
import type { EncodeDeployDataParameters, EncodeFunctionDataParameters } from 'viem';
import { encodeDeployData, encodeFunctionData } from 'viem';
import * as bomb from './contracts/artifacts/bomb.ts';
import * as constructorPayer from './contracts/artifacts/constructor-payer.ts';
import * as creator from './contracts/artifacts/creator.ts';
import * as feeToken from './contracts/artifacts/fee-token.ts';
import * as forger from './contracts/artifacts/forger.ts';
import * as forwarder from './contracts/artifacts/forwarder.ts';
import * as hugeToken from './contracts/artifacts/huge-token.ts';
import * as loggingFalseToken from './contracts/artifacts/logging-false-token.ts';
import * as mintAll from './contracts/artifacts/mint-all.ts';
import * as movingFalseToken from './contracts/artifacts/moving-false-token.ts';
import * as multiSend from './contracts/artifacts/multi-send.ts';
import * as nestedCalls from './contracts/artifacts/nested-calls.ts';
import * as noReturnToken from './contracts/artifacts/no-return-token.ts';
import * as oddTransferToken from './contracts/artifacts/odd-transfer-token.ts';
import * as pausableToken from './contracts/artifacts/pausable-token.ts';
import * as pretender from './contracts/artifacts/pretender.ts';
import * as rebaseToken from './contracts/artifacts/rebase-token.ts';
import * as silentFalseToken from './contracts/artifacts/silent-false-token.ts';
import * as testToken from './contracts/artifacts/test-token.ts';

/**
 * All contracts. `testToken` behaves (a twin is simply a second one with the same name and symbol);
 * what the others do wrong is written at their sources in `contracts/`.
 */
export const contracts = {
  testToken,
  silentFalseToken,
  loggingFalseToken,
  movingFalseToken,
  feeToken,
  pausableToken,
  rebaseToken,
  hugeToken,
  noReturnToken,
  oddTransferToken,
  forger,
  multiSend,
  forwarder,
  nestedCalls,
  pretender,
  bomb,
  creator,
  constructorPayer,
  mintAll,
} as const;

export type ContractName = keyof typeof contracts;
type AbiOf<Name extends ContractName> = (typeof contracts)[Name]['abi'];
type Changing = 'nonpayable' | 'payable';

/** A transaction without its envelope. `value` in wei. */
export interface Call {
  readonly to: Hex;
  readonly data: Hex;
  readonly value: bigint;
}

/** The init code of a contract with its constructor arguments. */
export function deploymentOf<Name extends ContractName>(
  name: Name,
  args: ContractConstructorArgs<AbiOf<Name>>,
): Hex {
  const { abi, bytecode } = contracts[name];
  // The signature above ties the arguments to the ABI, which is lost once the name is a variable.
  return encodeDeployData({ abi, bytecode, args } as unknown as EncodeDeployDataParameters<Abi>);
}

/** A call of a contract at an address. `value` in wei goes with it. */
export function callOf<Name extends ContractName, Method extends ContractFunctionName<AbiOf<Name>, Changing>>(
  name: Name,
  to: Hex,
  functionName: Method,
  args: ContractFunctionArgs<AbiOf<Name>, Changing, Method>,
  value = 0n,
): Call {
  const { abi } = contracts[name];
  // As above.
  const data = encodeFunctionData({
    abi,
    functionName,
    args,
  } as unknown as EncodeFunctionDataParameters<Abi>);
  return { to, data, value };
}
