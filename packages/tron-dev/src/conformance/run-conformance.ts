// Runs all checks against one node, tron-dev or a real java-tron.
import { addressOfKey } from '../protocol/signature.ts';
import type { Check, CheckContext } from './check.ts';
import { accountChecks } from './checks/accounts.ts';
import { blockChecks } from './checks/blocks.ts';
import { broadcastChecks } from './checks/broadcast.ts';
import { contractChecks } from './checks/contracts.ts';
import { delegationChecks } from './checks/delegations.ts';
import { encodingChecks } from './checks/encoding.ts';
import { programChecks } from './checks/programs.ts';
import { signatureChecks } from './checks/signatures.ts';
import { transferChecks } from './checks/transfers.ts';
import { nodeClient } from './node-client.ts';

export interface ConformanceTarget {
  readonly fullUrl: string;
  readonly solidityUrl: string;
  /** Hex key of an account with a few hundred TRX. */
  readonly privateKey: string;
  readonly apiKey?: string;
  /** How long a check waits for a block or solidity; 120 seconds unless given. */
  readonly timeoutMs?: number;
  /** Runs only the checks whose names contain this text; all of them unless given. */
  readonly only?: string;
}

export interface CheckResult {
  readonly name: string;
  /** Null where the check passed. */
  readonly failure: string | null;
}

export const checks: readonly Check[] = [
  ...blockChecks,
  ...transferChecks,
  ...broadcastChecks,
  ...contractChecks,
  ...delegationChecks,
  ...encodingChecks,
  ...accountChecks,
  ...signatureChecks,
  ...programChecks,
];

/** Runs one check after the other. `report` is called as each ends. */
export async function runConformance(
  target: ConformanceTarget,
  report: (result: CheckResult) => void = () => undefined,
): Promise<readonly CheckResult[]> {
  const context: CheckContext = {
    node: nodeClient(target.fullUrl, target.solidityUrl, target.apiKey),
    payer: { privateKey: target.privateKey, address: addressOfKey(target.privateKey) },
    timeoutMs: target.timeoutMs ?? 120_000,
  };
  const results: CheckResult[] = [];
  for (const check of checks.filter(({ name }) => name.includes(target.only ?? ''))) {
    const result = { name: check.name, failure: await failureOf(check, context) };
    results.push(result);
    report(result);
  }
  return results;
}

async function failureOf(check: Check, context: CheckContext): Promise<string | null> {
  try {
    await check.run(context);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
