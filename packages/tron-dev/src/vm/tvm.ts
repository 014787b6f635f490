// The EVM with Tron's differences: addresses of new contracts, a few opcodes, and the energy table.
import type { Common } from '@ethereumjs/common';
import {
  EVM,
  EVMMockBlockchain,
  type EVMResult,
  type EVMRunCallOpts,
  type Message,
  NobleBN254,
} from '@ethereumjs/evm';
import { Address } from '@ethereumjs/util';
import { keccak256 } from '../protocol/hash.ts';
import { bytesToHex, hexToBytes, numberToHex } from '../protocol/hex.ts';
import { CallRecorder } from './call-recorder.ts';
import { tronParams } from './energy-table.ts';
import { isSelfTransfer, SelfTransfer } from './self-transfer.ts';
import { tronOpcodes } from './tron-opcodes.ts';
import type { EvmState } from './evm-state.ts';

export interface TvmContext {
  readonly common: Common;
  readonly evmState: EvmState;
  readonly txId: string;
  /** The address of the contract that the transaction itself creates; null where it calls one. */
  readonly topContract: string | null;
  readonly factorOf: (address: string) => bigint;
}

const params = tronParams();

export class Tvm extends EVM {
  readonly recorder: CallRecorder;
  readonly #context: TvmContext;
  #pendingAddress: Address | null = null;

  constructor(context: TvmContext) {
    const recorder = new CallRecorder({
      txId: context.txId,
      factorOf: context.factorOf,
      isPrecompile: (message) =>
        message.to !== undefined && this.getPrecompile(message.codeAddress) !== undefined,
    });
    super({
      common: context.common,
      stateManager: context.evmState,
      blockchain: new EVMMockBlockchain(),
      bn254: new NobleBN254(),
      params,
      // Tron charges for code by the byte and has no other limit than the transaction's size.
      allowUnlimitedContractSize: true,
      customOpcodes: tronOpcodes(recorder),
    });
    this.recorder = recorder;
    this.#context = context;
    this.events.on('beforeMessage', (message) => {
      const isCreation = message.to === undefined;
      this.#pendingAddress = isCreation ? this.#newAddress(message) : null;
      recorder.before(
        message,
        this.#pendingAddress === null ? null : `41${bytesToHex(this.#pendingAddress.bytes)}`,
      );
    });
    this.events.on('newContract', ({ address }) => context.evmState.beginContract(address));
    this.events.on('afterMessage', (result) => recorder.after(result));
  }

  /** Every call of a contract passes here before it has any effect. */
  override runCall(options: EVMRunCallOpts): Promise<EVMResult> {
    if (options.message !== undefined && isSelfTransfer(options.message)) throw new SelfTransfer();
    return super.runCall(options);
  }

  protected override _generateAddress(message: Message): Promise<Address> {
    const address = this.#pendingAddress ?? this.#newAddress(message);
    this.#pendingAddress = null;
    return Promise.resolve(address);
  }

  /**
   * The address of a new contract. CREATE hashes the transaction id and a counter. CREATE2 hashes the sender with its
   * 41 and without Ethereum's ff.
   */
  #newAddress(message: Message): Address {
    if (message.depth === 0 && this.#context.topContract !== null) {
      return new Address(hexToBytes(this.#context.topContract.slice(2)));
    }
    const preimage =
      message.salt === undefined
        ? this.#context.txId + numberToHex(this.recorder.nextNonce(), 8)
        : `41${bytesToHex(message.caller.bytes)}${bytesToHex(message.salt)}${keccak256(bytesToHex(message.data))}`;
    return new Address(hexToBytes(keccak256(preimage).slice(24)));
  }
}
