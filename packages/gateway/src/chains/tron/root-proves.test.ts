// What one root proves for everybody who has the header, and what is withheld where receipts are not shown.
import { describe, expect, it } from 'vitest';
import { unitsOf } from '@ducat/core/money/amount';
import type { ChainBlock } from '../port.ts';
import { EndpointPool } from '../endpoint/endpoint-pool.ts';
import { TooMuch } from '../endpoint/too-much.ts';
import { call, tokenHex, tokenLog, transfer } from '@ducat/testkit/chains/tron/read-bytes';
import { manualWorld } from '@ducat/testkit/chains/manual-world';
import { testCurrency, testDefinition } from '@ducat/testkit/chains/test-currencies';
import {
  bytes,
  mineBytes,
  number,
  ownerHex,
  recipientHex,
  transferPayload,
} from '@ducat/testkit/chains/tron/tron-bytes';
import { TronEndpoint } from './endpoint.ts';
import { type NodeApi, NodeError } from './node-api.ts';
import { readSolid } from './read-solid.ts';
import { watchedOf } from './watched.ts';

const height = 9;
const watched = watchedOf([testCurrency(1000, null), testCurrency(1001, tokenHex)], 'debug');
const note = Buffer.from('call').toString('hex');
const inner = {
  caller_address: tokenHex,
  transferTo_address: recipientHex,
  callValueInfo: [{ callValue: 3n }],
  note,
};
const mined = mineBytes(height, [
  { raw: transfer(transferPayload(5)) },
  {
    raw: call(bytes(1, ownerHex) + bytes(2, tokenHex) + number(3, 9)),
    executed: 'SUCCESS',
    receipt: { log: [tokenLog], internal_transactions: [inner] },
  },
]);
const [, callId = ''] = mined.txIds;

/** What a node does instead of answering honestly, by call; to this block alone, and `elsewhere` to all others. */
type Node = Readonly<Record<string, () => unknown>>;

const fails = (): never => {
  throw new NodeError('answered error: JSONException');
};
const isLate = (): never => {
  throw new TooMuch('answered HTTP 504', 'time');
};
const honest: Node = {};
const unshown: Node = { getblockbynum: fails };
const late: Node = { getblockbynum: isLate };
/** Shows no results, so that no root can be made of what it shows. */
const unproven: Node = {
  getblockbynum: () => {
    const { transactions } = mined.block;
    const list: object[] = Array.isArray(transactions) ? transactions : [];
    return { ...mined.block, transactions: list.map((one) => ({ ...one, signature: [] })) };
  },
};
/** The same, with other results of everything. */
const shownWith = (ret: object[]): Node => ({
  getblockbynum: () => {
    const { transactions } = mined.block;
    const list: object[] = Array.isArray(transactions) ? transactions : [];
    return { ...mined.block, transactions: list.map((one) => ({ ...one, signature: [], ret })) };
  },
});
const mute: Node = { gettransactioninfobyblocknum: fails };
const slow: Node = { gettransactioninfobyblocknum: isLate, gettransactioninfobyid: isLate };
const forging: Node = {
  gettransactioninfobyblocknum: () =>
    mined.receipts.map((one) => ({
      ...one,
      log: one['log'] && [{ ...tokenLog, data: '9'.padStart(64, '0') }],
    })),
};

class OnAnyChain extends TronEndpoint {
  protected override checkIdentity(): Promise<void> {
    return Promise.resolve();
  }
}

function open(...nodes: readonly Node[]) {
  const world = manualWorld();
  const now = [...nodes];
  const endpoints = nodes.map((_, index) => {
    const api: NodeApi = async (name, question) => {
      const isHere = question['num'] === height || 'value' in question || name === 'getblock';
      const instead = now[index]?.[isHere ? name : 'elsewhere'];
      if (instead !== undefined) return instead();
      if (name === 'getblock') return { ...mined.block, transactions: undefined };
      if (name === 'gettransactioninfobyid') return mined.receipts.find(({ id }) => id === question['value']);
      if (!isHere) return name === 'getblockbynum' ? {} : [];
      return name === 'getblockbynum' ? mined.block : mined.receipts;
    };
    const definition = testDefinition({ family: 'tron' });
    const views = { full: api, solid: api };
    return new OnAnyChain({ name: `node#${index + 1}`, ...views, unhurried: views, definition, world });
  });
  const pool = new EndpointPool('TRON', endpoints);
  return {
    world,
    read: () => readSolid(pool, 'TRON', height, watched),
    healthy: () => pool.health().every((one) => one.healthy),
    become: (...others: readonly Node[]) => now.splice(0, now.length, ...others),
  };
}

const moved = ({ transfers }: ChainBlock) =>
  transfers.map(({ position, amount }) => `${position} ${unitsOf(amount)}`);
const all = ['value 5', 'value 9', 'log:0 5', 'inner:0.0 3'];
const unreadable = { kind: 'unreadable-block' };
const withheld = { txId: null, reason: 'unshown-receipts' };

describe('receipts of a block that is not shown', () => {
  it.each<readonly [string, Node, number]>([
    ['fails', mute, 10_000],
    ['is late', slow, 300_000],
  ])(
    'are waited for where one node %s, and withheld with a name after that',
    async (_, other, patienceMs) => {
      for (const nodes of [
        [unshown, { ...unshown, ...other }],
        [
          { ...unshown, ...other },
          { ...unshown, ...other },
        ],
      ]) {
        const { read, world, healthy } = open(...nodes);
        for (let ms = 0; ms < patienceMs; ms += 5_000) {
          await expect(read()).rejects.toMatchObject(unreadable);
          world.advance(5_000);
        }
        const block = await read();
        expect(moved(block)).toEqual([]);
        expect(block.untraced).toEqual([{ txId: null, reason: 'unprintable-block' }, withheld]);
        expect(healthy()).toBe(true);
      }
    },
  );

  it('count where the node that failed tells them after all', async () => {
    const { read, world, become } = open(unshown, { ...unshown, ...mute });
    for (const ms of [5_000, 4_999, 1]) {
      await expect(read()).rejects.toMatchObject(unreadable);
      world.advance(ms);
    }
    become(unshown, unshown);
    const block = await read();
    expect(moved(block)).toEqual(['log:0 5']);
    expect(block.untraced).toEqual([{ txId: null, reason: 'unprintable-block' }]);
  });

  it('are no reason to wait less than for what is late', async () => {
    const { read, world, become } = open({ ...late, ...mute }, { ...late, ...slow });
    for (let ms = 0; ms < 300_000; ms += 10_000) {
      await expect(read()).rejects.toMatchObject(unreadable);
      // One error at the end does not shorten it.
      if (ms === 280_000) become({ ...unshown, ...mute }, { ...unshown, ...mute });
      world.advance(10_000);
    }
    expect((await read()).untraced).toContainEqual(withheld);
  });
});

describe('a block that nobody proves', () => {
  const doubt = { txId: callId, reason: 'unclear-receipt' };

  it.each<readonly [string, Node, readonly string[], readonly object[]]>([
    ['that it went through', unproven, ['log:0 5'], []],
    ['that it did not', shownWith([{ contractRet: 'REVERT' }]), [], [doubt]],
    ['no result', shownWith([]), [], [doubt]],
  ])(
    'counts the tokens of a call where the only one of two who shows it shows %s, or names it',
    async (_, shown, tokens, doubts) => {
      const { read, world } = open(unshown, shown);
      for (let time = 0; time < 2; time++) {
        await expect(read()).rejects.toMatchObject(unreadable);
        world.advance(5_000);
      }
      const block = await read();
      expect(moved(block)).toEqual(tokens);
      expect(block.untraced).toEqual([{ txId: null, reason: 'unprintable-block' }, ...doubts]);
    },
  );

  // hits mark: result-needs-two
  it.each<readonly [string, object[]]>([
    ['that it did not go through', [{ contractRet: 'REVERT' }]],
    ['no result', []],
    ['one that nobody knows', [{ contractRet: 'UNKNOWN_ENUM_VALUE_contractResult_99' }]],
  ])('counts the tokens that two others tell where one of three shows %s', async (_, ret) => {
    const liar = shownWith(ret);
    for (const third of [liar, { ...liar, ...mute }, { ...liar, ...forging }]) {
      const { read, world, become } = open(unshown, third, unshown);
      await expect(read()).rejects.toMatchObject(unreadable);
      for (let time = 0; time < 2; time++) {
        world.advance(5_000);
        await read().catch(() => undefined);
      }
      const block = await read();
      expect(moved(block)).toEqual(['log:0 5']);
      expect(block.untraced).toEqual([{ txId: null, reason: 'unprintable-block' }]);
      // Nor does it matter whether it answers the next time.
      become(unshown, unshown, unshown);
      for (let time = 0; time < 2; time++) {
        await read().catch(() => undefined);
        world.advance(5_000);
      }
      expect(moved(await read())).toEqual(['log:0 5']);
    }
  });

  it('names the call where two of three, each in its own way, show that it did not go through', async () => {
    const { read, world } = open(unshown, shownWith([{ contractRet: 'REVERT' }]), shownWith([]));
    for (let time = 0; time < 2; time++) {
      await expect(read()).rejects.toMatchObject(unreadable);
      world.advance(5_000);
    }
    const block = await read();
    expect(moved(block)).toEqual([]);
    expect(block.untraced).toContainEqual(doubt);
  });
});

describe('a proven block whose receipts are not shown', () => {
  it.each<readonly [string, Node, number]>([
    ['an error', mute, 10_000],
    [
      'one that is too much',
      { gettransactioninfobyblocknum: isLate, gettransactioninfobyid: isLate },
      300_000,
    ],
  ])('counts its proven TRX alone after a patience, by %s', async (_, node, patienceMs) => {
    const { read, world, healthy } = open(node, node);
    for (let ms = 0; ms < patienceMs; ms += 5_000) {
      await expect(read()).rejects.toMatchObject(unreadable);
      world.advance(5_000);
    }
    const block = await read();
    expect(moved(block)).toEqual(['value 5', 'value 9']);
    expect(block.untraced).toEqual([{ txId: callId, reason: 'unclear-receipt' }]);
    expect(healthy()).toBe(true);
  });

  it('waits with one endpoint, which does not rest for it', async () => {
    const { read, world, healthy } = open(mute);
    for (let time = 0; time < 5; time++) {
      await expect(read()).rejects.toMatchObject(unreadable);
      world.advance(60_000);
    }
    expect(healthy()).toBe(true);
  });

  it('is no such thing where the nodes show no receipts of any block: they rest', async () => {
    const broken: Node = { ...mute, elsewhere: fails };
    const { read, world, healthy } = open(broken, broken);
    for (let time = 0; time < 3; time++) {
      await expect(read()).rejects.toThrow('answered error: JSONException');
      world.advance(20_000);
    }
    expect(healthy()).toBe(false);
  });
});

describe('a block that one of two proves', () => {
  it.each<readonly [string, Node]>([
    ['does not show it', unshown],
    ['does not show it in time', late],
    ['does not prove it', unproven],
  ])('counts whole and at once where the other %s and tells the same receipts', async (_, other) => {
    for (const nodes of [
      [honest, other],
      [other, honest],
    ]) {
      const { read, healthy } = open(...nodes);
      const block = await read();
      expect(moved(block)).toEqual(all);
      expect(block.untraced).toEqual([]);
      expect(healthy()).toBe(true);
    }
  });

  // hits mark: unshown-receipts-wait
  it.each<readonly [string, Node]>([
    ['shows nothing', { ...unshown, ...mute }],
    ['proves nothing and tells no receipts', { ...unproven, ...mute }],
    ['proves it and tells no receipts', mute],
  ])('counts its TRX after a patience, and names the rest, where the other %s', async (_, other) => {
    const { read, world } = open(honest, other);
    for (const ms of [5_000, 4_999, 1]) {
      await expect(read()).rejects.toMatchObject(unreadable);
      world.advance(ms);
    }
    const block = await read();
    expect(moved(block)).toEqual(['value 5', 'value 9']);
    expect(block.untraced).toEqual([{ txId: callId, reason: 'unclear-receipt' }]);
  });

  it('waits where both tell receipts, and not the same', async () => {
    const { read, world } = open(honest, { ...unshown, ...forging });
    await expect(read()).rejects.toMatchObject({ kind: 'disagreement' });
    world.advance(400_000);
    await expect(read()).rejects.toMatchObject({ kind: 'disagreement' });
  });

  it.each<readonly [string, Node]>([
    ['not shown', unshown],
    ['not proven', unproven],
  ])('is not outvoted by two where it is %s', async (_, other) => {
    const { read, world } = open(other, other, honest);
    const first = await read();
    expect(moved(first)).toEqual(all);
    world.advance(20_000);
    expect(moved(await read())).toEqual(all);
  });

  it('does not lend its word to those that withhold receipts while two tell other ones', async () => {
    const { read, world } = open(honest, forging, mute);
    await expect(read()).rejects.toMatchObject({ kind: 'disagreement' });
    world.advance(20_000);
    await expect(read()).rejects.toMatchObject({ kind: 'disagreement' });
  });
});
