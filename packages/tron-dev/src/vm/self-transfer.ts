// A contract that pays itself: Tron ends the call that tries it, the EVM lets it pass.
import { EVMError, type Message } from '@ethereumjs/evm';

/** Ends the calling frame like a revert: what it did is undone, and what it did not use comes back. */
export class SelfTransfer extends Error {
  /** By these two the interpreter knows an error of its own. */
  readonly errorType = 'EVMError';
  readonly error: EVMError['error'] = EVMError.errorMessages.REVERT;

  constructor() {
    super('transfer trx failed: Cannot transfer TRX to yourself.');
    this.name = 'SelfTransfer';
  }
}

export function isSelfTransfer(message: Message): boolean {
  const { depth, delegatecall, value, caller, to } = message;
  // A creation has no address yet. With the code of another contract, a call to the own address is CALLCODE.
  if (to === undefined || depth === 0 || delegatecall || value === 0n) return false;
  return to.equals(caller) && message.codeAddress.equals(to);
}
