// The walk along one chain: reading in batches, forks of any depth, a head that stands, and what may halt it.
import { afterEach, describe, expect, it } from 'vitest';
import { insertTestOrder, USDT } from '@ducat/testkit/fixtures';
import { type StageOptions, WatchStage } from '@ducat/testkit/watcher/watch-stage';
import type { FakeChain } from '@ducat/testkit/chains/fake/chain-in-memory';
import type { FakeProvider } from '@ducat/testkit/chains/fake/fake-provider';
import { auditBooks } from '../../db/reports/audit.ts';
import { findOrder } from '../../db/tables/orders/orders.ts';
import { Outage } from '../../runtime/outage.ts';

let stage: WatchStage;
let address: string;
let open: WatchStage[] = [];
afterEach(async () => {
  await Promise.all(open.map((one) => one.close()));
  open = [];
});

async function begin(options: StageOptions = {}): Promise<void> {
  stage = await WatchStage.open(options);
  open.push(stage);
  ({ address } = await insertTestOrder(stage.database));
}

/** So many honest providers, in order of preference. */
function providers(count: number): { options: StageOptions; all: FakeProvider[] } {
  const all: FakeProvider[] = [];
  const of = (chain: FakeChain): readonly FakeProvider[] => {
    for (let place = 0; place < count; place++) all.push(chain.provider(`p${place}`));
    return all;
  };
  return { options: { providers: of }, all };
}

const pay = (to = address, units = 10_000_000n) => ({
  transfers: [{ currencyId: USDT, from: '0xpayer', to, units }],
});

const COIN = 1000;
const isPaid = async () => (await findOrder(stage.database.reader, 'app_1', 'ord_1'))?.status === 'PAID';

describe('reading', () => {
  it('takes blocks by the batch, each once, and books what is final', async () => {
    await begin();
    stage.chain.mineEmpty(39);
    stage.chain.mine([pay()]);
    stage.chain.mineEmpty(30);
    const steps = await stage.steps(8);
    expect(steps.filter((outcome) => outcome === 'busy').length).toBeLessThanOrEqual(5);
    expect(await stage.cursor()).toMatchObject({ head: { number: 70 }, finalNumber: 68 });
    expect(await stage.transfers()).toEqual(['final 10000000']);
    expect(await isPaid()).toBe(true);
    expect(await auditBooks(stage.database.reader)).toEqual([]);
    // Read ahead or not, nothing is read twice.
    expect(stage.chain.main.calls('block')).toBe(71);
  });

  it.each<readonly [string, readonly number[], string, number | null]>([
    ['one provider', [60], 'idle', 57],
    ['two that agree about', [60, 58], 'idle', 55],
    ['two that do not', [60, 5_000], 'disagreement', null],
    ['one of three far too high', [5_000, 60, 59], 'idle', 56],
    ['one of three far too low', [0, 60, 59], 'idle', 56],
  ])('begins a little below the head of a quorum: %s', async (_, heads, outcome, start) => {
    const all = providers(heads.length);
    await begin({ ...all.options, startBlock: null });
    stage.chain.mineEmpty(60);
    for (const [place, head] of heads.entries()) all.all[place]?.lie({ head: () => head });
    expect(await stage.rest()).toBe(outcome);
    if (start !== null) expect((await stage.cursor()).startNumber).toBe(start);
  });

  it('takes the blocks below one that cannot be had, and settles them', async () => {
    await begin();
    stage.chain.mine([pay()]);
    stage.chain.mineEmpty(9);
    await stage.rest();
    stage.chain.mineEmpty(10);
    stage.chain.main.lie({
      block: (block, number) => {
        if (number >= 14) throw new Outage(`block ${number} contradicts itself`, { kind: 'invalid' });
        return block;
      },
    });
    await stage.steps(2);
    expect(await stage.cursor()).toMatchObject({ head: { number: 13 }, finalNumber: 11 });
    expect(await stage.step()).toBe('invalid');
  });

  it('refuses a block that repeats a booked payment, and reads on from another provider', async () => {
    const { options, all } = providers(2);
    await begin(options);
    stage.chain.mine([pay()]);
    await stage.mine(4);
    stage.chain.mine();
    const paid = stage.chain.blocks.at(1)?.transfers ?? [];
    all[0]?.lie({ block: (block) => block && { ...block, transfers: paid } });
    expect(await stage.step()).toBe('invalid');
    expect(stage.logged.at(-1)).toMatch(/block 6 .* repeats a transfer, .* which stands in block 1$/);
    expect(stage.circuits()).toEqual(['half-open', 'closed']);
    expect(await stage.rest()).toBe('idle');
    expect(await stage.cursor()).toMatchObject({ head: { number: 6 }, haltedReason: null });
    expect(await stage.transfers()).toEqual(['final 10000000']);
  });

  it('waits, and never halts, where every provider repeats one', async () => {
    await begin();
    stage.chain.mine([pay()]);
    await stage.mine(4);
    stage.chain.mine();
    const paid = stage.chain.blocks.at(1)?.transfers ?? [];
    stage.chain.main.lie({ block: (block) => block && { ...block, transfers: [...paid, ...paid] } });
    expect(await stage.steps(3)).toEqual(['invalid', 'invalid', 'invalid']);
    stage.chain.main.lie();
    expect(await stage.rest()).toBe('idle');
    expect(await stage.cursor()).toMatchObject({ head: { number: 6 }, haltedReason: null });
  });
});

it('says of money that counts for no order in which transaction it came, once', async () => {
  await begin();
  stage.chain.mine([{ transfers: [{ currencyId: COIN, from: '0xpayer', to: address, units: 7n }] }]);
  stage.chain.mineEmpty(6);
  await stage.steps(8);
  const said = stage.logged.flatMap((line, place) =>
    line === 'warn money came that counts for no order' ? [stage.fields[place]] : [],
  );
  const sql = 'SELECT tx_id AS "txId" FROM transfers';
  const [transfer] = await stage.database.reader.read<{ txId: string }>(sql, []);
  expect(said).toMatchObject([{ txId: transfer?.txId ?? '', block: 1, currencyId: COIN, units: '7' }]);
  expect(stage.noted.unassigned).toBe(1);
});

it('takes no word for it that coins left an address of ours: the signature of the transaction says who sent them', async () => {
  await begin();
  const coins = (from: string) => ({
    transfers: [{ currencyId: COIN, from, to: '0xstranger', units: 5n }],
  });
  stage.chain.main.lie({
    block: (block) =>
      block && block.inclusions.length === 0
        ? { ...block, transfers: block.transfers.map((one) => ({ ...one, from: address })) }
        : block,
  });
  stage.chain.mine([coins('0xpayer')]);
  await stage.mine(5);
  expect(await stage.transfers()).toEqual([]);
  stage.chain.mine([coins(address)]);
  await stage.mine(5);
  expect(await stage.transfers()).toEqual(['final 5']);
  expect(stage.logged).toContain('error money left an address of ours');
});

it('takes no word for it either that they came from a stranger', async () => {
  await begin();
  const { address: payee } = await insertTestOrder(stage.database, {
    tradeNo: 'ord_2',
    currencyId: COIN,
    units: 5n,
  });
  stage.chain.main.lie({
    block: (block) =>
      block && block.inclusions.length === 0
        ? { ...block, transfers: block.transfers.map((one) => ({ ...one, from: '0xpayer' })) }
        : block,
  });
  stage.chain.mine([{ transfers: [{ currencyId: COIN, from: address, to: payee, units: 5n }] }]);
  await stage.mine(5);
  expect(await stage.transfers()).toEqual(['final 5']);
  expect((await findOrder(stage.database.reader, 'app_1', 'ord_2'))?.status).toBe('TO-BE-PAID');
});

describe('a head that stands', () => {
  it('has finality asked at a pace, and settles what becomes final without a block', async () => {
    await begin({ finalityBlocks: 20 });
    stage.chain.mine([pay()]);
    stage.chain.mineEmpty(5);
    await stage.rest();
    expect(await stage.transfers()).toEqual(['seen 10000000']);
    const before = stage.chain.main.calls('finalHeight');
    await stage.steps(60);
    const asked = stage.chain.main.calls('finalHeight') - before;
    expect(asked).toBeGreaterThanOrEqual(3);
    expect(asked).toBeLessThanOrEqual(5);
    stage.chain.main.lie({ finalHeight: () => 6 });
    await stage.steps(16);
    expect(await stage.transfers()).toEqual(['final 10000000']);
    expect((await stage.cursor()).finalNumber).toBe(4);
    const settled = stage.chain.main.calls('finalHeight');
    await stage.steps(60);
    expect(stage.chain.main.calls('finalHeight')).toBe(settled);
  });

  it('goes on asking after its clock was put back', async () => {
    await begin({ finalityBlocks: 20 });
    stage.chain.mineEmpty(5);
    await stage.rest();
    stage.nowMs -= 1_000_000;
    const before = stage.chain.main.calls('finalHeight');
    await stage.steps(3);
    expect(stage.chain.main.calls('finalHeight')).toBeGreaterThan(before);
  });
});

describe('a fork', () => {
  it.each<readonly [string, number, number]>([
    ['replaces the tip at the same height', 1, 1],
    ['is one block longer', 2, 3],
    ['is as deep as what is not final', 2, 6],
    ['is shorter than ours, and followed once it is longer', 2, 1],
  ])('that %s', async (_, depth, blocks) => {
    await begin();
    stage.chain.mineEmpty(8);
    stage.chain.mine([pay()]);
    await stage.rest();
    expect(await stage.transfers()).toEqual(['seen 10000000']);
    stage.chain.fork(
      depth,
      Array.from({ length: blocks }, () => []),
    );
    await stage.rest();
    if (blocks < depth) stage.chain.mineEmpty(2);
    await stage.rest();
    expect((await stage.cursor()).head).toMatchObject({ hash: stage.chain.header(stage.chain.height).hash });
    expect(await stage.transfers()).toEqual(['orphaned 10000000']);
    expect(await stage.reorgs()).toBe(1);
    await stage.mine(4);
    expect(await isPaid()).toBe(false);
  });

  it('that takes a payment to another block counts it once', async () => {
    await begin();
    stage.chain.mineEmpty(8);
    stage.chain.mine([{ txId: '0xpay', ...pay() }]);
    await stage.rest();
    stage.chain.fork(1, [[], [{ txId: '0xpay', ...pay() }]]);
    await stage.mine(5);
    expect(await stage.transfers()).toEqual(['final 10000000']);
    expect(await isPaid()).toBe(true);
    expect(await auditBooks(stage.database.reader)).toEqual([]);
  });

  it('whose blocks no provider has is waited for, and the provider that led there is not used', async () => {
    const { options, all } = providers(2);
    await begin(options);
    stage.chain.mineEmpty(8);
    await stage.rest();
    stage.chain.mine();
    all[0]?.lie({
      block: (block) => block && { ...block, header: { ...block.header, parentHash: '0xnowhere' } },
    });
    expect(await stage.step()).toBe('not-yet');
    expect(stage.logged.at(-1)).toContain('a fork cannot be followed, no provider has block 8 0xnowhere');
    expect(stage.circuits()).toEqual(['half-open', 'closed']);
    expect(await stage.rest()).toBe('idle');
    expect((await stage.cursor()).head?.number).toBe(9);
    expect(await stage.reorgs()).toBe(0);
  });

  it('is followed although one of three reports false parents of it, and lets others serve the blocks', async () => {
    const { options, all } = providers(3);
    await begin(options);
    await stage.mine(8);
    stage.chain.fork(1, [[], []]);
    const truth = stage.chain.header(8);
    all[0]?.lie({
      block: () => {
        throw new Outage('has too much to do');
      },
      headerByHash: (header, hash) => {
        if (hash === truth.hash) return { ...truth, parentHash: '0xfalse7' };
        if (!hash.startsWith('0xfalse')) return header;
        const number = Number(hash.slice(7));
        return { ...truth, number, hash, parentHash: `0xfalse${number - 1}` };
      },
    });
    for (let steps = 0; steps < 10; steps++) {
      stage.nowMs += 60_000;
      await stage.step();
    }
    expect((await stage.cursor()).head?.hash).toBe(stage.chain.header(9).hash);
  });

  it('that passes below the first block begins there anew, as long as nothing is final', async () => {
    await begin({ finalityBlocks: 40, startBlock: 5 });
    stage.chain.mineEmpty(8);
    await stage.rest();
    stage.chain.fork(
      6,
      Array.from({ length: 8 }, () => []),
    );
    await stage.rest();
    expect(await stage.cursor()).toMatchObject({
      startNumber: 5,
      head: { hash: stage.chain.header(10).hash },
    });
  });
});

describe('a fork below the final block', () => {
  /** Providers that follow a branch from block 4 on, where our books have blocks up to 8 and are final up to 6. */
  async function branchOff(count: number, following: readonly number[]): Promise<readonly FakeProvider[]> {
    const { options, all } = providers(count);
    await begin(options);
    stage.chain.mineEmpty(8);
    await stage.rest();
    expect((await stage.cursor()).finalNumber).toBe(6);
    const branch = stage.chain.split(5);
    branch.mineEmpty(8);
    for (const place of following) all[place]?.follow(branch);
    stage.chain.mine();
    return all;
  }

  it('halts the chain where a quorum has it', async () => {
    await branchOff(3, [0, 1, 2]);
    expect(await stage.rest()).toBe('halted');
    expect(await stage.cursor()).toMatchObject({
      haltedReason: expect.stringMatching(/^fork below the final height 6 under block 8/),
    });
    expect(await stage.rest()).toBe('halted');
  });

  it('is refused where a quorum still has our block', async () => {
    await branchOff(3, [0]);
    expect(await stage.step()).toBe('invalid');
    expect(stage.logged.at(-1)).toMatch(/is on a fork below our final block 6, and a quorum still has ours$/);
    expect(stage.circuits()[0]).toBe('half-open');
    expect(await stage.rest()).toBe('idle');
    expect((await stage.cursor()).head?.hash).toBe(stage.chain.header(9).hash);
  });

  it('is waited for where no quorum says anything, and the log says what it is', async () => {
    const all = await branchOff(3, [0, 1, 2]);
    for (const one of all) one.lie({ finalHeight: () => 3 });
    expect(await stage.step()).toBe('not-yet');
    expect(stage.logged).toContain('error a fork below the final block');
    expect(stage.logged.at(-1)).toMatch(/a quorum has to call a block of height 6 final/);
    for (const one of all) one.lie();
    expect(await stage.rest()).toBe('halted');
  });
});

describe('what is final', () => {
  it('undoes what one provider alone showed above it', async () => {
    const { options, all } = providers(3);
    await begin(options);
    stage.chain.mineEmpty(8);
    await stage.rest();
    const branch = stage.chain.split(1);
    branch.mine([pay()]);
    branch.mineEmpty(6);
    all[0]?.follow(branch);
    stage.chain.mineEmpty(6);
    await stage.steps(12);
    expect((await stage.cursor()).head?.hash).toBe(stage.chain.header(14).hash);
    expect(await isPaid()).toBe(false);
    expect(stage.circuits()[0]).not.toBe('closed');
  });

  it('waits for a quorum, while reading goes on', async () => {
    const { options, all } = providers(2);
    await begin(options);
    stage.chain.mineEmpty(4);
    await stage.rest();
    all[1]?.failNext(1_000);
    stage.chain.mine([pay()]);
    await stage.mine(6);
    expect(await stage.cursor()).toMatchObject({ head: { number: 11 }, finalNumber: 2 });
    expect(stage.logged).toContain('warn nothing more becomes final');
    expect(stage.outages).toContain('unavailable');
    all[1]?.failNext(0);
    stage.nowMs += 60_000;
    await stage.mine(1);
    expect(await isPaid()).toBe(true);
  });
});

it('a broken invariant halts the chain, and the lease that was lost halts nothing', async () => {
  await begin();
  stage.chain.mineEmpty(3);
  const broken = {
    ...stage.watch,
    chain: { ...stage.reader, head: () => Promise.reject(new Error('cannot be')) },
  };
  const { step, walkFromStart } = await import('./step.ts');
  const stranger = { ...broken, lease: { token: 1, holder: 'stranger' } };
  expect((await step(stranger, walkFromStart)).outcome).toBe('lease-lost');
  expect((await step(broken, walkFromStart)).outcome).toBe('halted');
  expect(await stage.cursor()).toMatchObject({ haltedReason: 'cannot be' });
  expect(await stage.step()).toBe('halted');
});
