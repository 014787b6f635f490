// The sweeper: the contract that deposit addresses delegate to (EIP-7702), so that one transaction empties many of them.

/**
 * Compiled from packages/signer/contracts/sweeper.yul; a test of the signer compares them. Lower-case hex without 0x.
 * `DEPLOY` is init code that deploys the bytes behind it.
 */
const DEPLOY = '61000d80380380915f395ff3fe';
const RUNTIME =
  '361560fa575f3560e01c806301681a6214608057634b05099c146020575f80fd5b5a38303b03607c5760643610607c5762b4' +
  '0d3160e11b5f9081526004803590523660631901601f191691905b828110606057505a90036040526020016040f35b806020' +
  '809260600160245f808560640135620493e0f15001604c565b5f80fd5b6004356370a0823160e01b5f523060045260205f60' +
  '2481845afa15607c5760203d10607c575f5190811560f5575f6044818060209463a9059cbb60e01b82528186526014601319' +
  '3801601039866024525af115607c573d60e2575b5f5260205ff35b60015f51141560203d10171560db575f80fd5b60205ff3' +
  '5b00';

/** The usual CREATE2 factory, at the same address on every chain. The address of a contract follows from its code. */
export const SWEEPER_FACTORY = {
  address: '0x4e59b44847b379578588920ca78fbf26c0b4956c',
  code: '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3',
} as const;

/** The first word of the factory's call data; the init code follows. */
const SALT = '0'.repeat(64);

/** Addresses that one transaction empties at most: some 3.6 million gas and 13 kB. */
export const MOST_SWEPT = 100;

/** The most that a sweep may cost, in base units of the coin. By default geth refuses what may cost 1 coin or more. */
export const MOST_SWEEP_FEE = 9n * 10n ** 17n;

/** The cost of an account's authorisation for the sweeper, in units of gas; a used account gets half of it back. */
export const AUTHORISATION_GAS = 25_000n;

const SWEEP_MANY = '4b05099c';

/** A hash of hex without 0x, as 64 hex digits. */
export type Keccak256 = (hex: string) => string;

/** The code at the address of a wallet's sweeper: 0x and lower-case hex. `wallet` is canonical. */
export function sweeperCode(wallet: string): string {
  return `0x${RUNTIME}${wallet.slice(2)}`;
}

/** The address of a wallet's sweeper on every chain, deployed or not. No other code can ever be at this address. */
export function sweeperAddress(wallet: string, keccak256: Keccak256): string {
  const factory = SWEEPER_FACTORY.address.slice(2);
  return `0x${keccak256(`ff${factory}${SALT}${keccak256(initCode(wallet))}`).slice(24)}`;
}

/** The call data with which the factory deploys a wallet's sweeper: lower-case hex without 0x. */
export function deploymentCall(wallet: string): string {
  return SALT + initCode(wallet);
}

/** The call data of `sweepMany(token, addresses)`: lower-case hex without 0x. */
export function sweepCall(token: string, addresses: readonly string[]): string {
  const words = [
    token.slice(2),
    '40',
    addresses.length.toString(16),
    ...addresses.map((one) => one.slice(2)),
  ];
  return SWEEP_MANY + words.map((one) => one.padStart(64, '0')).join('');
}

/** The code of an account that delegates to a sweeper: 0x and lower-case hex. */
export function delegatedCode(sweeper: string): string {
  return `0xef0100${sweeper.slice(2)}`;
}

function initCode(wallet: string): string {
  return DEPLOY + sweeperCode(wallet).slice(2);
}
