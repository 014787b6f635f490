// Each rule about direction, banned words, amounts and sizes, shown to find what it is for.
import { describe, expect, it } from 'vitest';
import { deepestPath } from './graph.ts';
import { readRooms } from './rooms.ts';
import { amount, findings, flow, header, inFile, port, project, rulesOf, store } from './testing/tree.ts';
import { treeOf } from './tree.ts';

const core = 'packages/core/src/result.ts';
const role = 'packages/gateway/src/roles/watcher/watcher.ts';

describe('a tree in order', () => {
  it('gives no finding', () => {
    const body =
      "import type { Amount } from '@ducat/core/money/amount';\nimport type { Tx } from '../../db/postgres/tx.ts';\nexport type Both = Amount | Tx;\n";
    expect(inFile(flow, body, { ...amount, ...store })).toEqual([]);
  });
});

describe('the table of rooms', () => {
  const head = '| **still** | clock, chance |\n| `packages/core/src/` | | | | **still**, sql |\n';
  it('is read with its sets', () => {
    expect(readRooms(`${head}| \`packages/gateway/src/main.ts\` | core | pg, viem | any | |\n`)).toEqual([
      {
        name: 'core',
        place: 'packages/core/src/',
        rooms: [],
        packages: [],
        node: [],
        bans: ['clock', 'chance', 'sql'],
      },
      {
        name: 'gateway/main',
        place: 'packages/gateway/src/main.ts',
        rooms: ['core'],
        packages: ['pg', 'viem'],
        node: ['any'],
        bans: [],
      },
    ]);
  });

  it('is refused with a room or a ban that does not exist', () => {
    expect(() => readRooms(`${head}| \`sim/src/\` | shop | | | |\n`)).toThrow('names shop');
    expect(() => readRooms(`${head}| \`sim/src/\` | core | | | weather |\n`)).toThrow('the ban weather');
  });
});

describe('direction', () => {
  it.each([
    ['a flow imports node:http', flow, "import { request } from 'node:http';", 'must not import node:http'],
    ['a flow imports what reaches the network', flow, "import { http } from 'viem';", 'the package viem'],
    [
      'a flow imports a port',
      flow,
      "import type {} from '../../chains/port/reader.ts';",
      'gateway/chains/port',
    ],
    ['a flow loads a client later', flow, "export const later = () => import('node:net');", 'node:net'],
    ['a flow names the type of one', flow, "export type Socket = import('node:net').Socket;", 'node:net'],
    ['a role imports the driver', role, "import pg from 'pg';", 'the package pg'],
    ['a role imports another role', role, "import '../api/app.ts';", 'must not import gateway/roles/api'],
    ['core imports a package', core, "import pg from 'pg';", 'the package pg'],
    ['core imports Node', core, "import { createHash } from 'node:crypto';", 'node:crypto'],
    [
      'a test of core imports Node',
      'packages/core/src/result.test.ts',
      "import {} from 'node:fs';",
      'node:fs',
    ],
    [
      'the contract imports core',
      'packages/contract/src/fields/fields.ts',
      "import type { Amount } from '@ducat/core/money/amount';",
      'must not import core',
    ],
    ['anybody imports what is for tests', flow, "import '@ducat/testkit/fixtures';", 'testkit must not be'],
    ['an import leads nowhere', flow, "import '../../db/postgres/nowhere.ts';", 'does not exist'],
    ['a file lies outside of all rooms', 'packages/gateway/src/elsewhere/thing.ts', '', 'lies in no room'],
  ])('is broken when %s', (_, path, body, expected) => {
    const others = {
      ...port,
      ...amount,
      'packages/gateway/src/roles/api/app.ts': header,
      'packages/testkit/src/fixtures.ts': header,
    };
    const found = inFile(path, `${body}\n`, others).filter(({ rule }) => rule === 'direction');
    expect(found).toEqual([expect.objectContaining({ message: expect.stringContaining(expected) })]);
  });

  it('lets a test of a flow import what it needs to put things together', () => {
    const test = 'packages/gateway/src/flows/orders/place-orders.test.ts';
    expect(inFile(test, "import '../../chains/port/reader.ts';\n", port)).toEqual([]);
  });
});

describe('banned words', () => {
  it.each([
    ['core reads the clock', core, 'export const now = () => Date.now();', 'clock'],
    ['core makes a date of now', core, 'export const now = () => new Date();', 'clock'],
    ['core goes through globalThis', core, 'export const now = () => globalThis.Date.now();', 'clock'],
    ['core knows the calendar', core, 'export const then = new Date(0);', 'any-date'],
    ['core is random', core, 'export const chance = Math.random();', 'chance'],
    ['core waits', core, 'setTimeout(() => {}, 1);', 'timers'],
    ['core looks at the process', core, 'export const { argv } = process;', 'process'],
    ['core fetches', core, "fetch('http://node.test');", 'network'],
    ['core is asynchronous', core, 'export async function decide() {}', 'async'],
    ['a flow fetches', flow, "fetch('http://node.test');", 'network'],
    ['a flow opens the database', flow, "import { openDatabase } from '../../db/postgres/tx.ts';", 'pool'],
    ['a role reads the environment', role, 'export const url = process.env.DATABASE_URL;', 'environment'],
    ['a role draws random bytes', role, "import { randomBytes } from 'node:crypto';", 'chance'],
    ['a role takes all of crypto', role, "import * as crypto from 'node:crypto';", 'chance'],
    ['a role sets a timer', role, 'setInterval(() => {}, 1);', 'timers'],
    ['a role imports timers', role, "import { setTimeout as wait } from 'node:timers/promises';", 'timers'],
    ['a role holds SQL', role, "export const q = 'SELECT * FROM orders';", 'sql'],
    ['a role fills SQL in', role, 'export const q = (id: string) => `update orders set a = ${id}`;', 'sql'],
    [
      'the signer serves',
      'packages/signer/src/serve.ts',
      "import { createServer } from 'node:http';",
      'http',
    ],
  ])('are found when %s', (_, path, body, rule) => {
    expect(rulesOf(inFile(path, `${body}\n`, store))).toContain(rule);
  });

  it.each([
    [
      'a method of that name',
      'export const start = (s: { setTimeout(ms: number): void }) => s.setTimeout(1);',
    ],
    ['a date of a given time', 'export const text = (ms: number) => new Date(ms).toISOString();'],
    [
      'text about it',
      "// No fetch, no setTimeout.\nexport const t = 'Please select a currency from the list';",
    ],
    ['a name of the file itself', 'export const ask = (fetch: () => void) => fetch();'],
  ])('are not found in %s', (_, body) => {
    expect(inFile(role, `${body}\n`)).toEqual([]);
  });

  it('report an exception that nobody needs any more', () => {
    const found = inFile('packages/gateway/src/runtime/world.ts', 'export const still = 1;\n');
    expect(rulesOf(found)).toEqual(['clock', 'chance', 'timers']);
  });
});

describe('amounts', () => {
  it.each([
    ['reads units', 'export const raw = (amount: { units: bigint }) => amount.units;'],
    ['takes units out of a pattern', 'export const raw = ({ units }: { units: bigint }) => units;'],
    [
      'unpacks an amount',
      'export const raw = () => unitsOf(1);\nfunction unitsOf(n: number) {\n  return n;\n}',
    ],
  ])('are opened when a flow %s', (_, body) => {
    expect(rulesOf(inFile(flow, `${body}\n`))).toEqual(['amount']);
  });
});

describe('sizes', () => {
  const long = (lines: number) => header + 'export {};\n'.repeat(lines - 1);

  it('end at 400 lines of a file', () => {
    expect(findings({ [flow]: long(400) })).toEqual([]);
    expect(findings({ [flow]: long(401) })).toEqual([
      expect.objectContaining({ file: flow, message: 'has 401 lines, more than 400' }),
    ]);
  });

  it('end at 60 lines of a function, of whatever form', () => {
    const body = (lines: number) => '  void 0;\n'.repeat(lines - 2);
    expect(inFile(flow, `export function walk() {\n${body(60)}}\n`)).toEqual([]);
    for (const [open, close] of [
      ['export function walk() {', '}'],
      ['export const walk = () => {', '}'],
      ['export const all = { walk() {', '} };'],
    ]) {
      expect(rulesOf(inFile(flow, `${open}\n${body(61)}${close}\n`))).toEqual(['size']);
    }
  });

  it('leave out a describe block, which is a chapter', () => {
    const tests = `describe.each([1])('x', () => {\n${"  it('y', () => {});\n".repeat(80)}});\n`;
    expect(inFile('packages/gateway/src/flows/x.test.ts', tests)).toEqual([]);
  });

  it('end at 15 files of product code in a folder, its tests and subfolders not counted', () => {
    const folder = 'packages/gateway/src/flows/orders/';
    const names = Array.from({ length: 15 }, (_, place) => `${folder}step-${place}.ts`);
    const more = [`${folder}step-1.test.ts`, `${folder}more/step.ts`];
    const full = Object.fromEntries([...names, ...more].map((name) => [name, header]));
    expect(findings(full)).toEqual([]);
    expect(findings({ ...full, [flow]: header })).toEqual([
      expect.objectContaining({ file: folder, message: 'has 16 files of product code, more than 15' }),
    ]);
  });

  it('end at nine imports in a row inside a family, types counted and circles cut', () => {
    const folder = 'packages/gateway/src/chains/tron/';
    const chain = (length: number) =>
      Object.fromEntries(
        Array.from({ length }, (_, place) => {
          const next = place + 1 < length ? `import type {} from './step-${place + 1}.ts';\n` : '';
          return [`${folder}step-${place}.ts`, `${header}${next}import type {} from './step-0.ts';\n`];
        }),
      );
    expect(findings(chain(10))).toEqual([]);
    expect(rulesOf(findings(chain(11)))).toEqual(['size']);
    expect(deepestPath(treeOf(project(chain(4))), folder)).toHaveLength(4);
  });
});
