// Why a payout stays as it is, in words for the person who wanted to change it.
import type { Unmoved } from '@ducat/core/payout/transition';
import { CommandError } from '../../command-error.ts';

/** The error to throw. */
export function refusedStep(tradeNo: string, outcome: Unmoved['outcome'] | 'unknown'): CommandError {
  return new CommandError(texts[outcome](tradeNo));
}

const texts: Readonly<Record<Unmoved['outcome'] | 'unknown', (tradeNo: string) => string>> = {
  unknown: (tradeNo) => `there is no payout ${tradeNo}`,
  ended: (tradeNo) => `payout ${tradeNo} has ended`,
  'on-its-way': (tradeNo) =>
    `payout ${tradeNo} is on its way: a transaction of it is being made or was signed, and only the chain decides`,
  'not-claimed': (tradeNo) => `nobody has begun to send payout ${tradeNo}`,
  'not-started': (tradeNo) => `nothing was signed for payout ${tradeNo} yet`,
  'not-approved': (tradeNo) => `payout ${tradeNo} waits for approval`,
  'second-person': (tradeNo) =>
    `payout ${tradeNo} is ended by a word, and its rules ask for a second person's`,
  mismatch: (tradeNo) => `payout ${tradeNo} promised another transfer`,
};
