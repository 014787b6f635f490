// Bytes that a payer can have mined: none of them is counted unless it can be read in one way, and none stops reading.
import { createdAddress } from '@ducat/tron-dev/protocol/contract-address';
import { contractOf, transactionOf } from '@ducat/tron-dev/protocol/transaction';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unitsOf } from '@ducat/core/money/amount';
import {
  call,
  paid,
  readBytes,
  reasons,
  tokenHex,
  tokenLog as log,
  transfer,
} from '@ducat/testkit/chains/tron/read-bytes';
import { okxTokenTransfer, okxTransfer } from '@ducat/testkit/chains/wallet-bytes';
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

const from = bytes(1, ownerHex);
const to = bytes(2, recipientHex);
const honest = transferPayload(1_000_000);
describe('a transfer of TRX', () => {
  it.each([
    ['as wallets write it', transfer(honest)],
    [
      'with a memo and a permission',
      rawWith(bytes(10, '6869') + bytes(11, contractAround(1, 'TransferContract', honest) + number(5, 2))),
    ],
    ['with a fee limit', transfer(honest) + number(18, 1_000)],
    // One meaning each, whoever reads: protobuf gives a place no meaning, and a default the same as nothing.
    ['with its fields in another order', transfer(number(3, 1_000_000) + to + from)],
    [
      'with the type behind its payload',
      rawWith(bytes(11, contractAround(0, 'TransferContract', honest) + number(1, 1))),
    ],
    ['with defaults that are written', transfer(honest) + number(18, 0) + bytes(12, '')],
  ])('%s counts', async (_, raw) => {
    const block = await readBytes({ raw });
    expect(paid(block)).toEqual([`${recipientHex} 1000000`]);
    expect(block.untraced).toEqual([]);
  });

  it.each<readonly [string, string, string]>([
    // 98 80 80 80 10 is field 3 to java-tron, which cuts tags to 32 bits: it moves 1, and says so nowhere else.
    ['an amount under a tag of 33 bits', transfer(`${honest}988080801001`), 'unclear-bytes'],
    ['a recipient under a tag of 33 bits', transfer(`${honest}928080801015${ownerHex}`), 'unclear-bytes'],
    ['a tag of ten bytes', transfer(`${from}${to}98808080808080808001c0843d`), 'unclear-bytes'],
    ['the amount twice', transfer(honest + number(3, 1)), 'unclear-bytes'],
    ['the recipient twice', transfer(from + bytes(2, ownerHex) + to + number(3, 5)), 'unclear-bytes'],
    ['a default and a value', transfer(`${from}${to}1800${number(3, 5)}`), 'unclear-bytes'],
    ['a tag in more bytes than it takes', transfer(`${from}${to}980005`), 'unclear-bytes'],
    ['a length in more bytes than it takes', transfer(`${from}129500${recipientHex}1805`), 'unclear-bytes'],
    [
      'a permission of 33 bits',
      rawWith(bytes(11, contractAround(1, 'TransferContract', honest) + number(5, 2n ** 32n))),
      'unclear-bytes',
    ],
    ['an unknown field', transfer(honest + number(9, 1)), 'unclear-bytes'],
    ['an amount in more bytes than it takes', transfer(`${from}${to}188100`), 'unclear-bytes'],
    ['an amount as bytes', transfer(from + to + bytes(3, '05')), 'unclear-bytes'],
    [
      'an amount as a fixed number',
      transfer(`${from}${to}${tagged(3, 1, '0500000000000000')}`),
      'unclear-bytes',
    ],
    ['an amount of 65 bits', transfer(`${from}${to}18${'ff'.repeat(9)}02`), 'unclear-bytes'],
    ['an amount that never ends', transfer(`${from}${to}18${'ff'.repeat(11)}`), 'unclear-bytes'],
    ['a group', transfer(`${honest}${tagged(3, 3, '')}${tagged(3, 4, '')}`), 'unclear-bytes'],
    ['the end of a group', transfer(honest + tagged(3, 4, '')), 'unclear-bytes'],
    ['a length below zero', transfer(`${from}12ffffffff0f${recipientHex}`), 'unclear-bytes'],
    ['a length of 33 bits', transfer(`${from}129580808010${recipientHex}${number(3, 5)}`), 'unclear-bytes'],
    ['a length beyond its end', transfer(`${from}1216${recipientHex}`), 'unclear-bytes'],
    ['a field 0', transfer(`${honest}0001`), 'unclear-bytes'],
    ['a thousand fields', transfer(honest + number(3, 5).repeat(1_000)), 'unclear-bytes'],
    ['no amount', transfer(`${from}${to}1800`), 'impossible-value'],
    ['no amount and no word of it', transfer(from + to), 'impossible-value'],
    ['less than nothing', transfer(`${from}${to}${number(3, 2n ** 64n - 5n)}`), 'impossible-value'],
    [
      'a recipient of 20 bytes',
      transfer(from + bytes(2, recipientHex.slice(2)) + number(3, 5)),
      'impossible-value',
    ],
    [
      'a recipient of a test network',
      transfer(from + bytes(2, `a0${'b'.repeat(40)}`) + number(3, 5)),
      'impossible-value',
    ],
    ['the name of another contract', rawAround(1, 'TriggerSmartContract', honest), 'type-url'],
    ['another type under its name', rawAround(31, 'TransferContract', honest), 'type-url'],
    ['a type that nobody knows', rawAround(60, 'TransferContract', honest), 'unknown-contract'],
    [
      'a type of 33 bits',
      rawWith(bytes(11, `0881808080${10}`.concat(contractAround(0, 'TransferContract', honest)))),
      'unclear-bytes',
    ],
    [
      'two contracts',
      rawWith(bytes(11, contractAround(1, 'TransferContract', honest)).repeat(2)),
      'contract-count',
    ],
    ['no contract', rawWith(''), 'contract-count'],
    ['its contract as a number', rawWith(number(11, 1)), 'unclear-bytes'],
    ['a group about its contract', rawWith(tagged(11, 3, '') + tagged(11, 4, '')), 'unclear-bytes'],
    ['an unknown field beside its contract', `${transfer(honest)}${number(99, 1)}`, 'unclear-bytes'],
    [
      'the type twice',
      rawWith(bytes(11, number(1, 31) + contractAround(1, 'TransferContract', honest))),
      'unclear-bytes',
    ],
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
      'unclear-bytes',
    ],
    [
      'a URL of elsewhere',
      rawWith(bytes(11, number(1, 1) + bytes(2, text(1, 'x/protocol.TransferContract') + bytes(2, honest)))),
      'type-url',
    ],
    ['no payload', transfer(''), 'impossible-value'],
    ['nothing at all', '', 'contract-count'],
  ])('with %s counts nothing and is named', async (_, raw, reason) => {
    const beside = transfer(transferPayload(77));
    const block = await readBytes({ raw }, { raw: beside });
    expect(paid(block)).toEqual([`${recipientHex} 77`]);
    expect(reasons(block)).toEqual([reason]);
  });

  it('that failed is not named, however it is written', async () => {
    const ret = [{ bytes: '1802', json: { contractRet: 'REVERT' } }];
    const block = await readBytes({ raw: call(`${honest}988080801001`), ret, executed: 'REVERT' });
    expect(block).toMatchObject({ transfers: [], untraced: [] });
  });
});

describe('a contract call', () => {
  const payload = from + bytes(2, tokenHex);

  it.each<readonly [string, string, readonly string[], readonly string[]]>([
    ['as wallets write it', payload + bytes(4, 'a9059cbb'), [`${recipientHex} 5`], []],
    ['with value', payload + number(3, 9) + bytes(4, 'aa'), [`${tokenHex} 9`, `${recipientHex} 5`], []],
    ['with tokens of another kind', payload + number(5, 9) + number(6, 1_000_001), [`${recipientHex} 5`], []],
    ['with a value of nothing, written', `${payload}1800${bytes(4, 'aa')}`, [`${recipientHex} 5`], []],
    ['with all defaults written', `${payload}1800220028003000`, [`${recipientHex} 5`], []],
    [
      'with its fields in another order',
      number(3, 9) + bytes(4, 'aa') + bytes(2, tokenHex) + from,
      [`${tokenHex} 9`, `${recipientHex} 5`],
      [],
    ],
    // The chain ran it, whatever its bytes are: what its code logged is counted, and only its own value is not.
    [
      'with a value under a tag of 33 bits',
      `${payload}${bytes(4, 'aa')}988080801007`,
      [`${recipientHex} 5`],
      ['unclear-bytes'],
    ],
    [
      'with a field that is younger than we are',
      payload + number(7, 1),
      [`${recipientHex} 5`],
      ['unclear-bytes'],
    ],
    ['with a value twice', payload + number(3, 9) + number(3, 8), [`${recipientHex} 5`], ['unclear-bytes']],
    [
      'with a value below nothing',
      payload + number(3, 2n ** 64n - 1n),
      [`${recipientHex} 5`],
      ['impossible-value'],
    ],
  ])('%s', async (_, body, counted, named) => {
    const block = await readBytes({ raw: call(body), executed: 'SUCCESS', receipt: { log: [log] } });
    expect(paid(block)).toEqual(counted);
    expect(reasons(block)).toEqual(named);
  });

  it('is counted as the library of OKX writes it', async () => {
    const token = { raw: okxTokenTransfer, executed: 'SUCCESS', receipt: { log: [log] } };
    const block = await readBytes(token, { raw: okxTransfer });
    expect(paid(block)).toEqual([`${recipientHex} 5`, `${recipientHex} 5`]);
    expect(block.transfers.map(({ position }) => position)).toEqual(['log:0', 'value']);
    expect(block.untraced).toEqual([]);
  });

  it.each<readonly [string, string, object]>([
    ['under another name', rawAround(31, 'TransferContract', payload), { log: [log] }],
    ['as another type', rawAround(1, 'TriggerSmartContract', payload), { log: [log] }],
    [
      'as two',
      rawWith(bytes(11, contractAround(31, 'TriggerSmartContract', payload)).repeat(2)),
      { log: [log] },
    ],
  ])('%s counts nothing, whatever is logged', async (_, raw, receipt) => {
    const block = await readBytes({ raw, executed: 'SUCCESS', receipt: { ...receipt } });
    expect(block.transfers).toEqual([]);
    expect(block.untraced).toHaveLength(1);
  });

  it('whose bytes are unclear counts what contracts sent in it, and nothing where it failed', async () => {
    const sent = {
      caller_address: tokenHex,
      transferTo_address: recipientHex,
      callValueInfo: [{ callValue: 3n }],
      note: Buffer.from('call').toString('hex'),
    };
    const raw = call(`${payload}988080801007`);
    const receipt = { log: [log], internal_transactions: [sent] };
    const block = await readBytes({ raw, executed: 'SUCCESS', receipt });
    expect(block.transfers.map(({ position }) => position)).toEqual(['log:0', 'inner:0.0']);
    expect(reasons(block)).toEqual(['unclear-bytes']);
    const ret = [{ bytes: '1802', json: { contractRet: 'REVERT' } }];
    const failed = await readBytes({ raw, ret, executed: 'SUCCESS', receipt });
    expect(failed).toMatchObject({ transfers: [], untraced: [] });
  });

  it.each<readonly [string, string, object, readonly string[]]>([
    // T05: what USDT answers where it has moved the money, and its twin that moves nothing.
    ['which answers false', 'SUCCESS', { log: [log], contractResult: ['0'.repeat(64)] }, ['log:0']],
    ['which answers true and does nothing', 'SUCCESS', { contractResult: ['1'.padStart(64, '0')] }, []],
    // T13: all of them, and those of other contracts keep their place.
    [
      'which pays several times',
      'SUCCESS',
      { log: [log, { ...log, address: 'd'.repeat(40) }, log] },
      ['log:0', 'log:2'],
    ],
    ['which runs out of energy with logs', 'OUT_OF_ENERGY', { result: 'FAILED', log: [log] }, []],
    ['which runs out of time with logs', 'OUT_OF_TIME', { result: 'FAILED', log: [log] }, []],
  ])('%s counts by its logs and its result', async (_, result, receipt, positions) => {
    const code = { SUCCESS: '1801', OUT_OF_ENERGY: '180a' }[result] ?? '180b';
    const ret = [{ bytes: code, json: { contractRet: result } }];
    const block = await readBytes({ raw: call(payload), ret, executed: result, receipt: { ...receipt } });
    expect(block.transfers.map(({ position }) => position)).toEqual(positions);
    expect(block.untraced).toEqual([]);
  });

  it.each<readonly [string, object, readonly string[], readonly string[]]>([
    ['sends TRX on', {}, ['log:0', 'inner:0.0'], []],
    ['sends TRX to nobody', { transferTo_address: '' }, ['log:0'], ['unclear-inner']],
    [
      'sends TRX to a test network',
      { transferTo_address: `a0${'b'.repeat(40)}` },
      ['log:0'],
      ['unclear-inner'],
    ],
    ['sends TRX to nobody and takes it back', { transferTo_address: '', rejected: true }, ['log:0'], []],
    ['sends a TRC-10 token to nobody', { callValueInfo: [{ callValue: 3n, tokenId: '1' }] }, ['log:0'], []],
  ])('that %s is read by its receipt', async (_, change, positions, named) => {
    const sent = {
      caller_address: tokenHex,
      transferTo_address: recipientHex,
      callValueInfo: [{ callValue: 3n }],
      note: Buffer.from('call').toString('hex'),
      ...change,
    };
    const receipt = { log: [log], internal_transactions: [sent] };
    const block = await readBytes({ raw: call(payload), executed: 'SUCCESS', receipt });
    expect(block.transfers.map(({ position }) => position)).toEqual(positions);
    expect(reasons(block)).toEqual(named);
  });

  it('is read where it creates a contract, whatever the description of that contract holds', async () => {
    const created = bytes(1, ownerHex) + bytes(3, 'ffff') + bytes(4, '6000') + number(5, 12) + text(7, 'x');
    const raw = rawAround(30, 'CreateSmartContract', from + bytes(2, created));
    const block = await readBytes({ raw, executed: 'SUCCESS' });
    expect(block.transfers.map(({ amount }) => unitsOf(amount))).toEqual([12n]);
    const twice = rawAround(30, 'CreateSmartContract', from + bytes(2, created + number(5, 13)));
    expect(reasons(await readBytes({ raw: twice, executed: 'SUCCESS' }))).toEqual(['unclear-bytes']);
  });
});

/** What the dev chain reads in the same bytes. */
function valueByOracle(raw: string): string {
  const { txId, raw: decoded } = transactionOf(raw, []);
  const called = contractOf(decoded);
  if (called?.name === 'TransferContract')
    return `${called.value.owner_address} ${called.value.to_address} ${called.value.amount}`;
  if (called?.name === 'TriggerSmartContract')
    return `${called.value.owner_address} ${called.value.contract_address} ${called.value.call_value}`;
  if (called?.name !== 'CreateSmartContract') return 'nothing';
  const { owner_address: owner, new_contract: created } = called.value;
  return `${owner} ${createdAddress(txId, owner)} ${created?.call_value}`;
}

describe('whatever stands in a block', () => {
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
    nearly.map((hex) => rawAround(30, 'CreateSmartContract', from + bytes(2, hex))),
    nearly.map((hex) => rawWith(hex)),
    nearly.map((hex) => rawWith(bytes(11, hex))),
    fc
      .tuple(fc.nat(70), nearly)
      .map(([type, hex]) => rawWith(bytes(11, contractAround(type, 'TransferContract', hex)))),
  );

  it('never throws, and counts only what has one meaning', async () => {
    let counted = 0;
    await fc.assert(
      fc.asyncProperty(anyRaw, async (raw) => {
        const block = await readBytes({ raw, executed: 'SUCCESS', receipt: { log: [log] } });
        const own = block.transfers.find(({ position }) => position === 'value');
        if (own !== undefined)
          expect(valueByOracle(raw)).toBe(`${own.from} ${own.to} ${unitsOf(own.amount)}`);
        counted += own === undefined ? 0 : 1;
        if (block.untraced.length > 0) expect(own).toBeUndefined();
      }),
      { numRuns: 2_000 },
    );
    expect(counted).toBeGreaterThan(20);
  });
});
