// Opcodes that Tron has in addition to our rule set, and SELFDESTRUCT, which makes an internal transaction.
import type { EVMOpts } from '@ethereumjs/evm';
import { Address } from '@ethereumjs/util';
import { bytesToHex, hexToBytes, numberToHex } from '../protocol/hex.ts';
import type { CallRecorder } from './call-recorder.ts';

type CustomOpcode = NonNullable<EVMOpts['customOpcodes']>[number];
type AddedOpcode = Extract<CustomOpcode, { opcodeName: string }>;
type RunState = Parameters<AddedOpcode['logicFunction']>[0];

/** The energy price in sun, which BASEFEE returns on Tron. */
const energyPrice = 100n;
const newAccountEnergy = 25_000n;

export function tronOpcodes(recorder: CallRecorder): CustomOpcode[] {
  return [
    op(0x46, 'CHAINID', 2, (run) => run.stack.push(run.interpreter.getChainId())),
    op(0x47, 'SELFBALANCE', 5, (run) => run.stack.push(run.interpreter.getSelfBalance())),
    op(0x48, 'BASEFEE', 2, (run) => run.stack.push(energyPrice)),
    { ...op(0x5e, 'MCOPY', 3, copyMemory), gasFunction: copyEnergy },
    { ...op(0xff, 'SELFDESTRUCT', 0, (run) => selfDestruct(run, recorder)), gasFunction: heirEnergy },
  ];
}

function op(
  opcode: number,
  opcodeName: string,
  baseFee: number,
  logicFunction: AddedOpcode['logicFunction'],
): AddedOpcode {
  return { opcode, opcodeName, baseFee, logicFunction };
}

function copyMemory(run: RunState): void {
  const [to, from, length] = run.stack.popN(3).map(Number);
  if (to === undefined || from === undefined || length === undefined || length === 0) return;
  run.memory.write(to, length, run.memory.read(from, length, true));
}

/** 3 energy per word copied, and the cost of memory growth. */
function copyEnergy(run: RunState, energy: bigint): bigint {
  const [to = 0n, from = 0n, length = 0n] = run.stack.peek(3);
  const end = length === 0n ? 0n : (to > from ? to : from) + length;
  const words = (end + 31n) / 32n;
  const cost = words * 3n + (words * words) / 512n;
  const grown = cost > run.highestMemCost ? cost - run.highestMemCost : 0n;
  if (words > run.memoryWordCount) run.memoryWordCount = words;
  run.highestMemCost += grown;
  return energy + 3n * ((length + 31n) / 32n) + grown;
}

/** Activating the heir costs as much as activating an account by a call. */
async function heirEnergy(run: RunState, energy: bigint): Promise<bigint> {
  const [heir = 0n] = run.stack.peek(1);
  const isThere = (await run.stateManager.getAccount(addressOf(heir))) !== undefined;
  return isThere ? energy : energy + newAccountEnergy;
}

function addressOf(word: bigint): Address {
  return new Address(hexToBytes(numberToHex(word & ((1n << 160n) - 1n), 20)));
}

async function selfDestruct(run: RunState, recorder: CallRecorder): Promise<void> {
  const to = addressOf(run.stack.pop());
  const from = run.interpreter.getAddress();
  const balance = await run.interpreter.getExternalBalance(from);
  recorder.suicide(`41${bytesToHex(from.bytes)}`, `41${bytesToHex(to.bytes)}`, balance);
  return run.interpreter.selfDestruct(to);
}
