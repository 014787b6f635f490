// A contract that pays itself: Tron ends the call, while the EVM allows it.
import { EVMError, type Message } from '@ethereumjs/evm';

/** Ends the calling frame like a revert: its changes are undone, and its unused energy is returned. */
export class SelfTransfer extends Error {
  /** The interpreter recognises its own errors by these two fields. */
  readonly errorType = 'EVMError';
  readonly error: EVMError['error'] = EVMError.errorMessages.REVERT;

  constructor() {
    super('transfer trx failed: Cannot transfer TRX to yourself.');
    this.name = 'SelfTransfer';
  }
}

export function isSelfTransfer(message: Message): boolean {
  const { depth, delegatecall, value, caller, to } = message;
  // A creation has no address yet. A call to its own address that runs another contract's code is CALLCODE.
  if (to === undefined || depth === 0 || delegatecall || value === 0n) return false;
  return to.equals(caller) && message.codeAddress.equals(to);
}
