// Lets the EVM read and write the chain's own state: accounts hold TRX, contracts and storage are tables.
import type { AccountFields, StateManagerInterface } from '@ethereumjs/common';
import { Account, type Address } from '@ethereumjs/util';
import { keccak256 } from '../protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../protocol/hex.ts';
import { make } from '../protocol/schema.ts';
import { smartContract } from '../protocol/contracts.ts';
import type { Contract } from '../state/state.ts';
import type { World } from '../state/world.ts';

/** The EVM recognises an empty slot by its length. */
const emptySlot = new Uint8Array();

/** The state of one execution. `newSlots` counts the empty storage slots that were filled. */
export class EvmState implements StateManagerInterface {
  newSlots = 0;
  readonly #world: World;
  readonly #now: bigint;
  readonly originalStorageCache = {
    get: (address: Address, key: Uint8Array) => this.getStorage(address, key),
    clear: () => undefined,
  };

  constructor(world: World, now: bigint) {
    this.#world = world;
    this.#now = now;
  }

  getAccount(address: Address): Promise<Account | undefined> {
    const tron = tronAddress(address);
    const account = this.#world.account(tron);
    if (account === undefined) return Promise.resolve(undefined);
    const { hash } = codeOf(this.#world.get('contracts', tron));
    // Tron has no nonces. Nonce 1 keeps an existing account from being taken for an empty one.
    return Promise.resolve(new Account(1n, account.balance, undefined, hash));
  }

  putAccount(address: Address, account?: Account): Promise<void> {
    const tron = tronAddress(address);
    const balance = account?.balance ?? 0n;
    // The EVM touches every account that it calls. Only TRX or code activate a Tron account.
    if (this.#world.account(tron) !== undefined || balance > 0n) {
      this.#world.updateAccount(tron, this.#now, () => ({ balance }));
    }
    return Promise.resolve();
  }

  /** Makes the account of a contract before its constructor runs, because the constructor may already write storage. */
  beginContract(address: Address): void {
    this.#world.updateAccount(tronAddress(address), this.#now, () => ({ isContract: true }));
  }

  async modifyAccountFields(address: Address, fields: AccountFields): Promise<void> {
    if (fields.balance !== undefined) await this.putAccount(address, new Account(1n, fields.balance));
  }

  /** Does nothing: the EVM deletes empty accounts, but on Tron an account stays. */
  deleteAccount(): Promise<void> {
    return Promise.resolve();
  }

  putCode(address: Address, value: Uint8Array): Promise<void> {
    const tron = tronAddress(address);
    const code = bytesToHex(value);
    this.#world.updateAccount(tron, this.#now, () => ({ isContract: true }));
    const definition = make(smartContract, { contract_address: tron, consume_user_resource_percent: 100n });
    const known = this.#world.get('contracts', tron) ?? { definition, energyFactor: 0n, pinnedEnergy: {} };
    this.#world.set('contracts', tron, { ...known, code });
    return Promise.resolve();
  }

  getCode(address: Address): Promise<Uint8Array> {
    return Promise.resolve(codeOf(this.#world.get('contracts', tronAddress(address))).bytes);
  }

  async getCodeSize(address: Address): Promise<number> {
    return (await this.getCode(address)).length;
  }

  getStorage(address: Address, key: Uint8Array): Promise<Uint8Array> {
    const value = this.#world.get('storage', tronAddress(address) + bytesToHex(key));
    return Promise.resolve(value === undefined ? emptySlot : hexToBytes(value));
  }

  putStorage(address: Address, key: Uint8Array, value: Uint8Array): Promise<void> {
    const slot = tronAddress(address) + bytesToHex(key);
    const padded = bytesToHex(value).padStart(64, '0');
    const isEmpty = /^0*$/.test(padded);
    if (!isEmpty && this.#world.get('storage', slot) === undefined) this.newSlots += 1;
    this.#world.set('storage', slot, isEmpty ? undefined : padded);
    return Promise.resolve();
  }

  clearStorage(): Promise<void> {
    return Promise.resolve();
  }

  checkpoint(): Promise<void> {
    this.#world.checkpoint();
    return Promise.resolve();
  }

  commit(): Promise<void> {
    this.#world.commit();
    return Promise.resolve();
  }

  revert(): Promise<void> {
    this.#world.revert();
    return Promise.resolve();
  }

  getStateRoot(): Promise<Uint8Array> {
    return Promise.resolve(new Uint8Array(32));
  }

  setStateRoot(): Promise<void> {
    return Promise.resolve();
  }

  hasStateRoot(): Promise<boolean> {
    return Promise.resolve(true);
  }

  clearCaches(): void {}

  shallowCopy(): StateManagerInterface {
    return new EvmState(this.#world, this.#now);
  }
}

interface Code {
  readonly bytes: Uint8Array;
  readonly hash: Uint8Array;
}

const noCode: Code = { bytes: new Uint8Array(), hash: hexToBytes(keccak256('')) };
/** Contracts are immutable values, so results computed from one stay valid as long as it exists. */
const codes = new WeakMap<Contract, Code>();

function codeOf(contract: Contract | undefined): Code {
  if (contract === undefined || contract.code === '') return noCode;
  const known = codes.get(contract);
  if (known !== undefined) return known;
  const code = { bytes: hexToBytes(contract.code), hash: hexToBytes(keccak256(contract.code)) };
  codes.set(contract, code);
  return code;
}

function tronAddress(address: Address): string {
  return `41${bytesToHex(address.bytes)}`;
}
