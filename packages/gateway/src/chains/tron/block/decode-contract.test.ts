// Bytes that a payer can have mined: none of them counts unless it can be read in one way, and none stops the reading.
import { contractOf, transactionOf } from '@ducat/tron-dev/protocol/transaction';
import { tokenHex, tokenLog } from '@ducat/testkit/chains/tron/mined-node';
import { call, moved, readMined, transfer } from '@ducat/testkit/chains/tron/read-mined';
import {
  bytes,
  contractAround,
  number,
  ownerHex,
  rawAround,
  rawWith,
  recipientHex,
  tagged,
  text,
  transferPayload,
  varint,
} from '@ducat/testkit/chains/tron/tron-bytes';
import { okxTokenTransfer, okxTransfer } from '@ducat/testkit/chains/wallet-bytes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeContract } from './decode-contract.ts';

const from = bytes(1, ownerHex);
const to = bytes(2, recipientHex);
const honest = transferPayload(1_000_000);
const payload = from + bytes(2, tokenHex);
const log = { log: [tokenLog] };
const failed = [{ bytes: '1802', json: { contractRet: 'REVERT' } }];
const fiveTokens = `log:0 ${recipientHex} 5`;

it.each<readonly [string, string]>([
  ['as wallets write it', transfer(honest)],
  [
    'with a memo and a permission',
    rawWith(bytes(10, '6869') + bytes(11, contractAround(1, 'TransferContract', honest) + number(5, 2))),
  ],
  ['with a fee limit', transfer(honest) + number(18, 1_000)],
  // These have one meaning for every reader: in protobuf the order means nothing, and a written default equals none.
  ['with its fields in another order', transfer(number(3, 1_000_000) + to + from)],
  [
    'with the type behind its payload',
    rawWith(bytes(11, contractAround(0, 'TransferContract', honest) + number(1, 1))),
  ],
  ['with defaults that are written', transfer(honest) + number(18, 0) + bytes(12, '')],
])('a transfer of TRX %s counts', async (_, raw) => {
  const block = await readMined({ raw });
  expect(moved(block)).toEqual([`value ${recipientHex} 1000000`]);
});

it.each<readonly [string, string]>([
  // 98 80 80 80 10 is field 3 to java-tron, which cuts tags to 32 bits. So java-tron moves 1, and no other field says so.
  ['an amount under a tag of 33 bits', transfer(`${honest}988080801001`)],
  ['a recipient under a tag of 33 bits', transfer(`${honest}928080801015${ownerHex}`)],
  ['a tag of ten bytes', transfer(`${from}${to}98808080808080808001c0843d`)],
  ['the amount twice', transfer(honest + number(3, 1))],
  ['the recipient twice', transfer(from + bytes(2, ownerHex) + to + number(3, 5))],
  ['a default and a value', transfer(`${from}${to}1800${number(3, 5)}`)],
  ['a tag in more bytes than it takes', transfer(`${from}${to}980005`)],
  ['a length in more bytes than it takes', transfer(`${from}129500${recipientHex}1805`)],
  [
    'a permission of 33 bits',
    rawWith(bytes(11, contractAround(1, 'TransferContract', honest) + number(5, 2n ** 32n))),
  ],
  ['an unknown field', transfer(honest + number(9, 1))],
  ['an amount in more bytes than it takes', transfer(`${from}${to}188100`)],
  ['an amount as bytes', transfer(from + to + bytes(3, '05'))],
  ['an amount as a fixed number', transfer(`${from}${to}${tagged(3, 1, '0500000000000000')}`)],
  ['an amount of 65 bits', transfer(`${from}${to}18${'ff'.repeat(9)}02`)],
  ['an amount that never ends', transfer(`${from}${to}18${'ff'.repeat(11)}`)],
  ['a group', transfer(`${honest}${tagged(3, 3, '')}${tagged(3, 4, '')}`)],
  ['the end of a group', transfer(honest + tagged(3, 4, ''))],
  ['a length below zero', transfer(`${from}12ffffffff0f${recipientHex}`)],
  ['a length of 33 bits', transfer(`${from}129580808010${recipientHex}${number(3, 5)}`)],
  ['a length beyond its end', transfer(`${from}1216${recipientHex}`)],
  ['a field 0', transfer(`${honest}0001`)],
  ['a thousand fields', transfer(honest + number(3, 5).repeat(1_000))],
  ['no amount', transfer(`${from}${to}1800`)],
  ['no amount and no field of it', transfer(from + to)],
  ['less than nothing', transfer(`${from}${to}${number(3, 2n ** 64n - 5n)}`)],
  ['a recipient of 20 bytes', transfer(from + bytes(2, recipientHex.slice(2)) + number(3, 5))],
  ['a recipient of a test network', transfer(from + bytes(2, `a0${'b'.repeat(40)}`) + number(3, 5))],
  ['the name of another contract', rawAround(1, 'TriggerSmartContract', honest)],
  ['another type under its name', rawAround(31, 'TransferContract', honest)],
  ['a type that nobody knows', rawAround(60, 'TransferContract', honest)],
  [
    'a type of 33 bits',
    rawWith(bytes(11, `0881808080${10}`.concat(contractAround(0, 'TransferContract', honest)))),
  ],
  ['two contracts', rawWith(bytes(11, contractAround(1, 'TransferContract', honest)).repeat(2))],
  ['no contract', rawWith('')],
  ['its contract as a number', rawWith(number(11, 1))],
  ['a group about its contract', rawWith(tagged(11, 3, '') + tagged(11, 4, ''))],
  ['an unknown field beside its contract', `${transfer(honest)}${number(99, 1)}`],
  ['the type twice', rawWith(bytes(11, number(1, 31) + contractAround(1, 'TransferContract', honest)))],
  [
    'two payloads',
    rawWith(
      bytes(
        11,
        number(1, 1) +
          bytes(
            2,
            text(1, 'type.googleapis.com/protocol.TransferContract') +
              bytes(2, transferPayload(1)) +
              bytes(2, honest),
          ),
      ),
    ),
  ],
  [
    'a URL of elsewhere',
    rawWith(bytes(11, number(1, 1) + bytes(2, text(1, 'x/protocol.TransferContract') + bytes(2, honest)))),
  ],
  ['no payload', transfer('')],
  ['nothing at all', ''],
])('a transfer of TRX with %s counts nothing', async (_, raw) => {
  // hits mark: bytes-with-one-meaning
  const block = await readMined({ raw }, { raw: transfer(transferPayload(77)) });
  expect(moved(block)).toEqual([`value ${recipientHex} 77`]);
});

describe('a contract call', () => {
  it.each<readonly [string, string, readonly string[]]>([
    ['as wallets write it', payload + bytes(4, 'a9059cbb'), [fiveTokens]],
    ['with value', payload + number(3, 9) + bytes(4, 'aa'), [`value ${tokenHex} 9`, fiveTokens]],
    ['with tokens of another kind', payload + number(5, 9) + number(6, 1_000_001), [fiveTokens]],
    ['with all defaults written', `${payload}1800220028003000`, [fiveTokens]],
    // The chain executed the call, however odd its bytes are. The logs of its code count, but its own value does not.
    ['with a value under a tag of 33 bits', `${payload}988080801007`, [fiveTokens]],
    ['with a field that is younger than we are', payload + number(7, 1), [fiveTokens]],
    ['with a value twice', payload + number(3, 9) + number(3, 8), [fiveTokens]],
    ['with a value below nothing', payload + number(3, 2n ** 64n - 1n), [fiveTokens]],
  ])('%s', async (_, body, counted) => {
    const block = await readMined({ raw: call(body), executed: 'SUCCESS', receipt: log });
    expect(moved(block)).toEqual(counted);
  });

  it('counts as the library of OKX writes it', async () => {
    const block = await readMined(
      { raw: okxTokenTransfer, executed: 'SUCCESS', receipt: log },
      { raw: okxTransfer },
    );
    expect(moved(block)).toEqual([fiveTokens, `value ${recipientHex} 5`]);
  });

  it.each<readonly [string, string]>([
    ['under another name', rawAround(31, 'TransferContract', payload)],
    ['as another type', rawAround(1, 'TriggerSmartContract', payload)],
    ['as two', rawWith(bytes(11, contractAround(31, 'TriggerSmartContract', payload)).repeat(2))],
  ])('%s counts nothing, whatever is logged', async (_, raw) => {
    const block = await readMined({ raw, executed: 'SUCCESS', receipt: log });
    expect(moved(block)).toEqual([]);
  });

  it('that failed counts nothing, however it is written', async () => {
    const raw = call(`${honest}988080801001`);
    const block = await readMined({ raw, ret: failed, executed: 'SUCCESS', receipt: log });
    expect(block).toMatchObject({ transfers: [], proposals: [] });
  });

  it.each<readonly [string, string, string, object, readonly string[]]>([
    // What USDT answers where it has moved the money, and its twin that moves nothing.
    ['which answers false', 'SUCCESS', '1801', { ...log, contractResult: ['0'.repeat(64)] }, ['log:0']],
    [
      'which answers true and does nothing',
      'SUCCESS',
      '1801',
      { contractResult: ['1'.padStart(64, '0')] },
      [],
    ],
    [
      'which pays several times',
      'SUCCESS',
      '1801',
      { log: [tokenLog, { ...tokenLog, address: 'd'.repeat(40) }, tokenLog] },
      ['log:0', 'log:2'],
    ],
    ['which runs out of energy with logs', 'OUT_OF_ENERGY', '180a', { result: 'FAILED', ...log }, []],
    ['which runs out of time with logs', 'OUT_OF_TIME', '180b', { result: 'FAILED', ...log }, []],
  ])('%s counts by its logs and its result', async (_, result, code, receipt, positions) => {
    const ret = [{ bytes: code, json: { contractRet: result } }];
    const block = await readMined({ raw: call(payload), ret, executed: result, receipt: { ...receipt } });
    expect(block.transfers.map(({ position }) => position)).toEqual(positions);
  });

  it('that creates a contract counts by its logs alone', async () => {
    const created = bytes(1, ownerHex) + number(5, 12);
    const raw = rawAround(30, 'CreateSmartContract', from + bytes(2, created) + number(9, 1));
    const block = await readMined({ raw, executed: 'SUCCESS', receipt: log });
    expect(moved(block)).toEqual([fiveTokens]);
  });
});

/** What the dev chain reads in the same bytes. */
function valueByOracle(raw: string): string {
  const called = contractOf(transactionOf(raw, []).raw);
  if (called?.name === 'TransferContract')
    return `${called.value.owner_address} ${called.value.to_address} ${called.value.amount}`;
  if (called?.name === 'TriggerSmartContract')
    return `${called.value.owner_address} ${called.value.contract_address} ${called.value.call_value}`;
  return 'nothing';
}

it('whatever stands in a block never throws, and counts only what has one meaning', () => {
  const anyHex = fc.uint8Array({ maxLength: 96 }).map((some) => Buffer.from(some).toString('hex'));
  /** Bytes that nearly are a transfer: parts of one, in any order, any number of times, cut anywhere. */
  const piece = fc.oneof(
    fc.constantFrom(
      from,
      to,
      number(3, 5),
      number(3, 1_000_000),
      '988080801001',
      '928080801015',
      '1800',
      '1b1c',
    ),
    anyHex,
    fc.tuple(fc.bigInt(0n, 2n ** 70n), anyHex).map(([tag, hex]) => varint(tag) + hex),
  );
  const nearly = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
  /** What wallets write, with one byte changed or none. */
  const changed = fc
    .tuple(fc.bigInt(1n, 2n ** 63n - 1n), fc.nat(250), fc.constantFrom(0, 0, 1, 8, 0x80))
    .map(([units, place, change]) => {
      const some = Buffer.from(transfer(transferPayload(units)), 'hex');
      some.writeUInt8(some.readUInt8(place % some.length) ^ change, place % some.length);
      return some.toString('hex');
    });
  const anyRaw = fc.oneof(
    changed,
    anyHex,
    nearly,
    nearly.map(transfer),
    nearly.map(call),
    nearly.map((hex) => rawWith(hex)),
    nearly.map((hex) => rawWith(bytes(11, hex))),
    fc
      .tuple(fc.nat(70), nearly)
      .map(([type, hex]) => rawWith(bytes(11, contractAround(type, 'TransferContract', hex)))),
  );
  let counted = 0;
  fc.assert(
    fc.property(anyRaw, (raw) => {
      const { value } = decodeContract(Buffer.from(raw, 'hex'));
      if (value === null) return;
      counted++;
      expect(valueByOracle(raw)).toBe(`${value.from} ${value.to} ${value.units}`);
    }),
    { numRuns: 3_000 },
  );
  expect(counted).toBeGreaterThan(20);
});
