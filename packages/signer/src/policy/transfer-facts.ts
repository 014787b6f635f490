// The facts about an intent that the checks need, whatever its family.
import { createHash } from 'node:crypto';
import { intentRecord } from '@ducat/core/signing/intent-record';
import type { TransferIntent } from '@ducat/core/signing/transfer-intent';

export interface TransferFacts {
  readonly to: string;
  readonly contract: string | null;
  readonly baseUnits: bigint;
  /** The most that the transaction can cost, in base units of the native coin. */
  readonly fee: bigint;
  /** Whether coins or tokens move. False where only resources are delegated or a sweeper is deployed. */
  readonly movesMoney: boolean;
}

/** In sun: TRX burnt for the bandwidth of the longest such transaction, and for the activation of an account. */
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

/** SHA-256 of the intent's one text. Only equal intents have the same hash. */
export function intentHash(intent: TransferIntent): string {
  return createHash('sha256')
    .update(JSON.stringify(intentRecord(intent)))
    .digest('hex');
}

/** The name of the intent's subject: its kind and id. A subject is signed for one transfer only, for ever. */
export function subjectKey({ subject }: TransferIntent): string {
  return `${subject.kind}/${subject.id}`;
}
