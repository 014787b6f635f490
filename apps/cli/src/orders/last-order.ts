// Remembers the newest order, so that commands can be typed without copying its number.
import { readFileSync } from 'node:fs';
import { CommandError } from '../command-error.ts';
import { writePrivateFile } from '../state/private-file.ts';
import type { StatePaths } from '../state/state-paths.ts';

/** The word that stands for the newest order. */
const LAST = 'last';

/** Notes the order. Without a state folder nothing is noted, which is no error. */
export function rememberOrder(paths: StatePaths, tradeNo: string): void {
  try {
    writePrivateFile(paths.lastOrder, `${tradeNo}\n`);
  } catch {
    // Only the word "last" is lost.
  }
}

/** The trade_no as typed, or that of the newest order for the word "last". */
export function orderMeant(paths: StatePaths, typed: string): string {
  if (typed !== LAST) return typed;
  try {
    return readFileSync(paths.lastOrder, 'utf8').trim();
  } catch {
    throw new CommandError(
      'no order was created here yet: ducat order create --currency USDT@ETH --amount 12.5',
    );
  }
}
