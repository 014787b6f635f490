// Why a payout stays as it is, in words for the person who wanted to change it.
import type { ApprovalProblem } from '@ducat/core/payout/approval-terms';
import type { Unmoved } from '@ducat/core/payout/transition';
import { CommandError } from '../../command-error.ts';

type Refused = Unmoved['outcome'] | ApprovalProblem | 'unknown' | 'own-payout';

/** The error to throw. */
export function refusedStep(tradeNo: string, outcome: Refused): CommandError {
  return new CommandError(texts[outcome](tradeNo));
}

const texts: Readonly<Record<Refused, (tradeNo: string) => string>> = {
  unknown: (tradeNo) => `there is no payout ${tradeNo}`,
  ended: (tradeNo) => `payout ${tradeNo} has ended`,
  'on-its-way': (tradeNo) =>
    `payout ${tradeNo} is on its way: a transaction of it is being made or was signed, and only the chain decides`,
  'at-the-signer': (tradeNo) =>
    `the signer is asked for payout ${tradeNo} just now, with an earlier approval: try again in a moment`,
  'approval-ended': () => 'this approval has ended already',
  'approval-too-long': () => 'an approval holds for 720 hours at most',
  'approval-fee-too-high': (tradeNo) =>
    `an approval allows no more than the fee that payout ${tradeNo} may cost`,
  approved: (tradeNo) => `a second person approved payout ${tradeNo}: cancel it instead`,
  'not-asked': (tradeNo) => `nobody is asked to approve payout ${tradeNo}: cancel it instead`,
  'own-payout': (tradeNo) => `payout ${tradeNo} was asked for by the same person`,
  'not-claimed': (tradeNo) => `no payer has begun to send payout ${tradeNo}`,
  'not-started': (tradeNo) => `nothing was signed for payout ${tradeNo} yet`,
  'not-approved': (tradeNo) => `payout ${tradeNo} waits for approval`,
  'second-person': (tradeNo) =>
    `payout ${tradeNo} is ended by a word, and its rules ask for a second person's`,
  mismatch: (tradeNo) => `payout ${tradeNo} promised another transfer`,
};
