// The sweeper: the contract that deposit addresses delegate to (EIP-7702), so that one transaction empties many of them.

/**
 * Compiled from packages/signer/contracts/sweeper.yul; a test of the signer compares them. Lower-case hex without 0x. The
 * first deploys whatever stands behind it.
 */
const DEPLOY = '61000d80380380915f395ff3fe';
const RUNTIME =
  '361560fa575f3560e01c806301681a6214608057634b05099c146020575f80fd5b5a38303b03607c5760643610607c5762b4' +
  '0d3160e11b5f9081526004803590523660631901601f191691905b828110606057505a90036040526020016040f35b806020' +
  '809260600160245f808560640135620493e0f15001604c565b5f80fd5b6004356370a0823160e01b5f523060045260205f60' +
  '2481845afa15607c5760203d10607c575f5190811560f5575f6044818060209463a9059cbb60e01b82528186526014601319' +
  '3801601039866024525af115607c573d60e2575b5f5260205ff35b60015f51141560203d10171560db575f80fd5b60205ff3' +
  '5b00';

/** What makes contracts at addresses that follow from their code: the usual one, at the same address on every chain. */
export const SWEEPER_FACTORY = {
  address: '0x4e59b44847b379578588920ca78fbf26c0b4956c',
  code: '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3',
} as const;

/** Before the init code, in what the factory is called with. */
const SALT = '0'.repeat(64);

/** Addresses that one transaction empties at most: some 3.6 million gas and 13 kB. */
export const MOST_SWEPT = 100;

/** In base units of the coin: what a sweep may cost at most. Nodes refuse what may cost 1 coin or more, geth by default. */
export const MOST_SWEEP_FEE = 9n * 10n ** 17n;

/** What an account's authorisation for the sweeper costs, in units of gas; half comes back where the account was used before. */
export const AUTHORISATION_GAS = 25_000n;

const SWEEP_MANY = '4b05099c';

/** A hash of hex without 0x, as 64 hex digits. */
export type Keccak256 = (hex: string) => string;

/** The code at the address of a wallet's sweeper: 0x and lower-case hex. `wallet` is canonical. */
export function sweeperCode(wallet: string): string {
  return `0x${RUNTIME}${wallet.slice(2)}`;
}

/** Where the sweeper of a wallet is on every chain, deployed or not. Nothing but its own code can ever be there. */
export function sweeperAddress(wallet: string, keccak256: Keccak256): string {
  const factory = SWEEPER_FACTORY.address.slice(2);
  return `0x${keccak256(`ff${factory}${SALT}${keccak256(initCode(wallet))}`).slice(24)}`;
}

/** What the factory is called with to deploy it; lower-case hex without 0x, as is what follows. */
export function deploymentCall(wallet: string): string {
  return SALT + initCode(wallet);
}

/** sweepMany(token, addresses) */
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
