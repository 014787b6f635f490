// The call transfer(address,uint256), which ERC-20 and TRC-20 share.

const selector = 'a9059cbb';

/** `address` is 40 hex digits, without the prefix of its family (0x or 41). */
export function tokenTransferCall(address: string, baseUnits: bigint): Uint8Array {
  return Buffer.from(selector + address.padStart(64, '0') + baseUnits.toString(16).padStart(64, '0'), 'hex');
}
