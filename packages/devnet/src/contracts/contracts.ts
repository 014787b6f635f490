// The compiled contracts by name: the normal test token and the hostile ones, with typed deployments and calls.
import type { Abi, ContractConstructorArgs, ContractFunctionArgs, ContractFunctionName, Hex } from 'viem';
import type { EncodeDeployDataParameters, EncodeFunctionDataParameters } from 'viem';
import { encodeDeployData, encodeFunctionData } from 'viem/utils';
import * as bomb from './generated/bomb.ts';
import * as constructorPayer from './generated/constructor-payer.ts';
import * as creator from './generated/creator.ts';
import * as feeToken from './generated/fee-token.ts';
import * as forger from './generated/forger.ts';
import * as forwarder from './generated/forwarder.ts';
import * as hugeToken from './generated/huge-token.ts';
import * as loggingFalseToken from './generated/logging-false-token.ts';
import * as mintAll from './generated/mint-all.ts';
import * as movingFalseToken from './generated/moving-false-token.ts';
import * as multiSend from './generated/multi-send.ts';
import * as nestedCalls from './generated/nested-calls.ts';
import * as noReturnToken from './generated/no-return-token.ts';
import * as oddTransferToken from './generated/odd-transfer-token.ts';
import * as pausableToken from './generated/pausable-token.ts';
import * as pretender from './generated/pretender.ts';
import * as rebaseToken from './generated/rebase-token.ts';
import * as silentFalseToken from './generated/silent-false-token.ts';
import * as testToken from './generated/test-token.ts';

/**
 * All contracts. `testToken` behaves normally; a twin is simply a second one with the same name and symbol. The sources
 * in `contracts/` describe what the others do wrong.
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
  // The function's signature checks the arguments against the ABI. The cast is needed, because a variable name loses
  // that type.
  return encodeDeployData({ abi, bytecode, args } as unknown as EncodeDeployDataParameters<Abi>);
}

/** A call of a contract at an address, which sends `value` in wei. */
export function callOf<Name extends ContractName, Method extends ContractFunctionName<AbiOf<Name>, Changing>>(
  name: Name,
  to: Hex,
  functionName: Method,
  args: ContractFunctionArgs<AbiOf<Name>, Changing, Method>,
  value = 0n,
): Call {
  const { abi } = contracts[name];
  // The cast is needed for the same reason as in `deploymentOf`.
  const data = encodeFunctionData({
    abi,
    functionName,
    args,
  } as unknown as EncodeFunctionDataParameters<Abi>);
  return { to, data, value };
}
