// The contracts that the conformance suite plays with, as bytecode: honest tokens, odd ones, and traps.
import { transferTopic as transferDigits } from '@ducat/gateway/chains/evm/block/receipts';
import { assemble, type Instruction } from './evm-program.ts';

const transferTopic = `0x${transferDigits}`;

export const transferSelector = 'a9059cbb';
export const mintSelector = '40c10f19';

// First and second argument of a call.
const first = '4 CALLDATALOAD';
const second = '36 CALLDATALOAD';
const addToFirst = `0 MLOAD ${first} SLOAD ADD ${first} SSTORE`;
const returnMemory = '32 0 RETURN';
/** Logs a Transfer to the first argument with the word at memory 0 as its amount. */
const logTransferFrom = (from: string): string => `${first} ${from} ${transferTopic} 32 0 LOG3`;
const dispatch = (selector: string): string => `DUP1 0x${selector} EQ @${selector} JUMPI`;

/**
 * A token with `decimals`, `balanceOf`, `transfer` and an open `mint`. `feePercent` is kept from each transfer
 * and is not in its log; `returnsFalse` moves nothing, logs nothing and reports success as false.
 */
export function tokenCode({ decimals = 6, feePercent = 0, returnsFalse = false } = {}): string {
  const arrived = feePercent === 0 ? second : `100 ${100 - feePercent} ${second} MUL DIV`;
  const transfer = `
    ${second} CALLER SLOAD LT @poor JUMPI
    ${second} CALLER SLOAD SUB CALLER SSTORE
    ${arrived} 0 MSTORE ${addToFirst} ${logTransferFrom('CALLER')}
    1 0 MSTORE ${returnMemory}`;
  return assemble(`
    0 CALLDATALOAD 224 SHR
    ${['313ce567', '70a08231', transferSelector, mintSelector].map(dispatch).join(' ')}
    :poor 0 0 REVERT
    :313ce567 ${decimals} 0 MSTORE ${returnMemory}
    :70a08231 ${first} SLOAD 0 MSTORE ${returnMemory}
    :${transferSelector} ${returnsFalse ? `0 0 MSTORE ${returnMemory}` : transfer}
    :${mintSelector} ${second} 0 MSTORE ${addToFirst} ${logTransferFrom('0')} STOP`);
}

/** A watched contract that logs whatever a test wants: it delegate-calls the address in its call data. */
export function puppetCode(): string {
  return assemble(`
    0 CALLDATALOAD ${0x313ce567n << 224n} EQ @decimals JUMPI
    0 0 0 0 0 CALLDATALOAD GAS DELEGATECALL STOP
    :decimals 6 0 MSTORE ${returnMemory}`);
}

/** One log with these topics and this data (whole words), from whatever contract runs it. */
export function logCode(topics: readonly string[], words: readonly bigint[]): readonly Instruction[] {
  const store = words.flatMap((word, index) => [word, index * 32, 'MSTORE']);
  return [...store, ...topics.toReversed(), words.length * 32, 0, `LOG${topics.length}`];
}

/** The topics of a Transfer, each address in its word. */
export function transferTopics(from: string, to: string): readonly string[] {
  return [transferTopic, `0x${from.slice(2).padStart(64, '0')}`, `0x${to.slice(2).padStart(64, '0')}`];
}

/** Calls an address with this value; whether that went well does not matter. */
export function callCode(to: string, value: Instruction): readonly Instruction[] {
  return [0, 0, 0, 0, value, to, 'GAS', 'CALL', 'POP'];
}

/** Sends its value on, and then ends well or reverts. */
export function relayCode(to: string, value: Instruction, ending: 'ok' | 'reverts'): string {
  return assemble(...callCode(to, value), ...(ending === 'ok' ? ['STOP'] : [0, 0, 'REVERT']));
}

/** The call data of a transfer or mint: selector, address and amount. */
export function tokenCall(selector: string, to: string, units: bigint): string {
  return `0x${selector}${to.slice(2).padStart(64, '0')}${units.toString(16).padStart(64, '0')}`;
}
