// A small assembler, so that tests can run exactly the opcodes that an attacker would.

const opcodes: Readonly<Record<string, number>> = {
  STOP: 0x00,
  ADD: 0x01,
  MUL: 0x02,
  SUB: 0x03,
  DIV: 0x04,
  LT: 0x10,
  GT: 0x11,
  EQ: 0x14,
  ISZERO: 0x15,
  SHR: 0x1c,
  CALLER: 0x33,
  CALLVALUE: 0x34,
  CALLDATALOAD: 0x35,
  CODECOPY: 0x39,
  POP: 0x50,
  MLOAD: 0x51,
  MSTORE: 0x52,
  SLOAD: 0x54,
  SSTORE: 0x55,
  JUMP: 0x56,
  JUMPI: 0x57,
  GAS: 0x5a,
  DUP1: 0x80,
  DUP2: 0x81,
  LOG0: 0xa0,
  LOG2: 0xa2,
  LOG3: 0xa3,
  LOG4: 0xa4,
  CREATE: 0xf0,
  CALL: 0xf1,
  CALLCODE: 0xf2,
  RETURN: 0xf3,
  DELEGATECALL: 0xf4,
  REVERT: 0xfd,
  SELFDESTRUCT: 0xff,
};

/** An opcode by name, a number to push, `:name` to mark a place, `@name` to push that place; or a text of several. */
export type Instruction = string | number | bigint;

/** Bytecode as hex without prefix. */
export function assemble(...program: readonly Instruction[]): string {
  const places = new Map<string, number>();
  let code = '';
  const gaps: { readonly at: number; readonly name: string }[] = [];
  for (const item of program.flatMap(words)) {
    if (item.startsWith(':')) {
      places.set(item.slice(1), code.length / 2);
      code += '5b';
    } else if (item.startsWith('@')) {
      gaps.push({ at: code.length + 2, name: item.slice(1) });
      code += '610000';
    } else if (/^\d/.test(item)) {
      code += push(BigInt(item));
    } else {
      const opcode = opcodes[item];
      if (opcode === undefined) throw new Error(`no opcode ${item}`);
      code += opcode.toString(16).padStart(2, '0');
    }
  }
  for (const { at, name } of gaps) {
    const place = places.get(name);
    if (place === undefined) throw new Error(`no place ${name}`);
    code = code.slice(0, at) + place.toString(16).padStart(4, '0') + code.slice(at + 4);
  }
  return code;
}

/** Init code that leaves this runtime code behind. */
export function deploying(runtime: string): string {
  const size = runtime.length / 2;
  const copy = (offset: number): string => assemble(size, offset, 0, 'CODECOPY', size, 0, 'RETURN');
  return copy(copy(0).length / 2) + runtime;
}

function words(item: Instruction): readonly string[] {
  return String(item)
    .split(/\s+/)
    .filter((word) => word !== '');
}

function push(value: bigint): string {
  const digits = value.toString(16);
  const even = digits.length % 2 === 0 ? digits : `0${digits}`;
  return (0x5f + even.length / 2).toString(16) + even;
}
