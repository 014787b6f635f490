// Compiled from contracts/Payer.sol by scripts/compile-contracts.mjs; do not edit.
export const abi = [{"stateMutability":"payable","type":"receive"}] as const;
export const bytecode = '0x6080604052348015600f57600080fd5b50601c80601d6000396000f3fe608060405236600a57005b600080fdfea164736f6c6343000825000a' as const;
