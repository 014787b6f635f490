// The checks of a transaction before it is executed: shape, signatures, reference, expiry, duplicates.
import { toBase58 } from '../protocol/address.ts';
import { contractNumbers } from '../protocol/contracts.ts';
import { referenceTo } from '../protocol/block-header.ts';
import { invalid, Rejection } from '../protocol/rejection.ts';
import { recoverAddress } from '../protocol/signature.ts';
import {
  type ContractCall,
  contractOf,
  encodeTransaction,
  type Transaction,
} from '../protocol/transaction.ts';
import { type Permission, permissionOf } from '../state/account.ts';
import type { State } from '../state/state.ts';
import { blockOf, type Branch, type Ledger } from './ledger.ts';

const dayMs = 86_400_000;
const slotMs = 3000;
const mostBytes = 500 * 1024;
/** How many of the last blocks a transaction may refer to. */
const referenceWindow = 65_536;

/** The contract of a transaction that may have exactly one. */
export function onlyContract(tx: Transaction): ContractCall {
  if (tx.raw.contract.length === 0) throw invalid('No contract!');
  if (tx.raw.contract.length > 1) throw invalid('act size should be exactly 1, this is extend feature');
  const call = contractOf(tx.raw);
  if (call === null) throw invalid('not supported type of contract in tron-dev');
  return call;
}

/** Refuses a broadcast that expires before the next slot. */
export function checkNextSlot(tx: Transaction, headTimestamp: number): void {
  if (Number(tx.raw.expiration) < headTimestamp + slotMs) throw expired();
}

/** Checks in java-tron's order: reference block, expiry, size, duplicate. */
export function checkAgainstBranch(tx: Transaction, ledger: Ledger, branch: Branch): void {
  const head = blockOf(ledger, branch.headId);
  if (!refersTo(branch, tx, head.number)) throw new Rejection('TAPOS_ERROR', 'Tapos check error.');
  const expiration = Number(tx.raw.expiration);
  if (encodeTransaction(tx, []).length / 2 > mostBytes) {
    throw new Rejection('TOO_BIG_TRANSACTION_ERROR', 'Transaction size is too big.');
  }
  if (expiration <= head.timestamp || expiration > head.timestamp + dayMs) throw expired();
  if (branch.places.has(tx.txId)) throw duplicate();
}

export function duplicate(): Rejection {
  return new Rejection('DUP_TRANSACTION_ERROR', 'Dup transaction.');
}

function expired(): Rejection {
  return new Rejection('TRANSACTION_EXPIRATION_ERROR', 'Transaction expired');
}

/** The reference has the low 16 bits of a height. It means the newest block of the branch with those bits. */
function refersTo(branch: Branch, tx: Transaction, headNumber: number): boolean {
  const low = Number.parseInt(tx.raw.ref_block_bytes, 16);
  if (tx.raw.ref_block_bytes.length !== 4 || Number.isNaN(low)) return false;
  const number = headNumber - ((headNumber - low) & (referenceWindow - 1));
  const id = branch.byNumber.get(number);
  return id !== undefined && referenceTo(id).refBlockHash === tx.raw.ref_block_hash;
}

/** The addresses that signed, in order. Throws where a signature fits no key. */
export function signersOf(tx: Transaction): readonly string[] {
  return tx.signatures.map((signature) => {
    const bytes = signature.length / 2;
    if (bytes < 65 || bytes > 68) throw new Rejection('SIGERROR', `Signature size is ${bytes}`);
    const address = recoverAddress(tx.txId, signature);
    if (address === null) throw new Rejection('SIGERROR', 'Signature recovery failed');
    return address;
  });
}

/** The permission that the transaction names. Throws where it does not exist or does not allow the call. */
export function permissionFor(tx: Transaction, call: ContractCall, state: State): Permission {
  const owner = call.value.owner_address;
  const id = tx.raw.contract[0]?.Permission_id ?? 0n;
  const permission = permissionOf(state.accounts.get(owner), owner, id);
  if (permission === undefined) throw new Rejection('SIGERROR', "permission isn't exit");
  if (id !== 0n && !mayDo(permission.operations, contractNumbers[call.name])) {
    throw new Rejection('SIGERROR', 'Permission denied');
  }
  return permission;
}

/** The sum of the signers' weights. Throws where a signer is not in the permission. */
export function weightOf(permission: Permission, signers: readonly string[]): bigint {
  if (signers.length > permission.keys.length) {
    throw new Rejection(
      'SIGERROR',
      `Signature count is ${signers.length} more than key counts of permission : ${permission.keys.length}`,
    );
  }
  let weight = 0n;
  const seen = new Set<string>();
  for (const signer of signers) {
    const key = permission.keys.find((candidate) => candidate.address === signer);
    if (key === undefined) {
      throw new Rejection(
        'SIGERROR',
        `it is signed by ${toBase58(signer)} but it is not contained of permission.`,
      );
    }
    if (seen.has(signer)) throw new Rejection('SIGERROR', `${toBase58(signer)} has signed twice!`);
    seen.add(signer);
    weight += key.weight;
  }
  return weight;
}

/** Throws unless the signers reach the threshold of the permission that the transaction names. */
export function checkPermission(
  tx: Transaction,
  call: ContractCall,
  signers: readonly string[],
  state: State,
): void {
  const permission = permissionFor(tx, call, state);
  if (signers.length === 0) throw new Rejection('SIGERROR', 'miss sig or contract');
  if (weightOf(permission, signers) < permission.threshold) throw new Rejection('SIGERROR', 'sig error');
}

/** Bit n of the bitmap, lowest bit of each byte first, allows contract type n. */
function mayDo(operations: string, contractNumber: number): boolean {
  const byte = Number.parseInt(
    operations.slice((contractNumber >> 3) * 2, (contractNumber >> 3) * 2 + 2),
    16,
  );
  return ((byte >> (contractNumber & 7)) & 1) === 1;
}
