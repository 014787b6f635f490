// What the checks need to know of an intent, whatever its family.
import { createHash } from 'node:crypto';
import { intentRecord } from '@ducat/core/signing/intent-record';
import type { TransferIntent } from '@ducat/core/signing/transfer-intent';

export interface TransferFacts {
  readonly to: string;
  readonly contract: string | null;
  readonly baseUnits: bigint;
  /** The most that the transaction can cost, in base units of the native coin. */
  readonly fee: bigint;
  /** Whether it moves coins or tokens, rather than resources. */
  readonly movesMoney: boolean;
}

/** Sun: the bandwidth of the longest of these transactions, burnt, and the activation of an account. */
const tronBesidesEnergy = 1_500_000n;

export function factsOf(intent: TransferIntent): TransferFacts {
  if (intent.family === 'evm') {
    const { to, contract, baseUnits, gasLimit, fees, sweeping } = intent;
    const price = fees.type === 'legacy' ? fees.gasPrice : fees.maxFeePerGas;
    return { to, contract, baseUnits, fee: gasLimit * price, movesMoney: sweeping?.type !== 'deploy' };
  }
  const { action, feeLimit } = intent;
  const { to, baseUnits } = action;
  const fee = feeLimit + tronBesidesEnergy;
  return action.type === 'transfer'
    ? { to, contract: action.contract, baseUnits, fee, movesMoney: true }
    : { to, contract: null, baseUnits, fee, movesMoney: false };
}

/** The hash of the intent's one text: equal intents alone have the same. */
export function intentHash(intent: TransferIntent): string {
  return createHash('sha256')
    .update(JSON.stringify(intentRecord(intent)))
    .digest('hex');
}

/** What the intent is for; signed for one thing alone, for ever. */
export function subjectKey({ subject }: TransferIntent): string {
  return `${subject.kind}/${subject.id}`;
}
