// Each rule about direction, words, amounts and sizes, shown to find what it is for.
import { describe, expect, it } from 'vitest';
import { checkSizes } from './checks/sizes.ts';
import { parseSource } from './source.ts';
import { amount, flow, header, inFile, messages, port, project, store } from './testing/tree.ts';
import { tidy } from './tidy.ts';

describe('a tree in order', () => {
  it('gives no finding', () => {
    const body =
      "import type { Amount } from '@ducat/core/money/amount';\nimport type { Tx } from '../../db/postgres/tx.ts';\nexport type Both = Amount | Tx;\n";
    expect(messages(inFile(flow, body, { ...amount, ...store }))).toEqual([]);
  });
});

describe('direction', () => {
  it.each([
    ['a flow imports node:http', flow, "import { request } from 'node:http';", 'must not import node:http'],
    [
      'a flow imports a package that reaches the network',
      flow,
      "import { http } from 'viem';",
      'package viem',
    ],
    ['a flow imports the database driver', flow, "import pg from 'pg';", 'package pg'],
    [
      'a flow imports a chain port',
      flow,
      "import type { ChainPort } from '../../chains/port.ts';",
      'must not import gateway/chains/port',
    ],
    [
      'a flow loads a network client later',
      flow,
      "export const later = () => import('node:net');",
      'must not import node:net',
    ],
    [
      'a flow names the type of one',
      flow,
      "export type Socket = import('node:net').Socket;",
      'must not import node:net',
    ],
    [
      'a role imports the driver',
      'packages/gateway/src/roles/maintenance/maintenance.ts',
      "import pg from 'pg';",
      'package pg',
    ],
    [
      'a role imports another role',
      'packages/gateway/src/roles/maintenance/maintenance.ts',
      "import '../watcher/watcher.ts';",
      'must not import gateway/roles/watcher',
    ],
    ['core imports a package', 'packages/core/src/result.ts', "import pg from 'pg';", 'package pg'],
    [
      'core imports Node',
      'packages/core/src/result.ts',
      "import { createHash } from 'node:crypto';",
      'must not import node:crypto',
    ],
    [
      'a test of core imports Node',
      'packages/core/src/result.test.ts',
      "import { readFileSync } from 'node:fs';",
      'must not import node:fs',
    ],
    [
      'the contract imports core',
      'packages/contract/src/fields/fields.ts',
      "import type { Amount } from '@ducat/core/money/amount';",
      'must not import core',
    ],
    [
      'anybody imports what is for tests',
      flow,
      "import '@ducat/testkit/fixtures';",
      'testkit must not be imported',
    ],
    ['an import leads nowhere', flow, "import '../../db/postgres/nowhere.ts';", 'does not exist'],
    ['a file lies outside of all rooms', 'packages/gateway/src/elsewhere/thing.ts', '', 'lies in no room'],
  ])('is broken when %s', (_, path, body, expected) => {
    const others = {
      ...port,
      ...amount,
      'packages/gateway/src/roles/watcher/watcher.ts': header,
      'packages/testkit/src/fixtures.ts': header,
    };
    const found = inFile(path, `${body}\n`, others).filter(({ rule }) => rule === 'direction');
    expect(messages(found)).toEqual([expect.stringContaining(expected)]);
  });

  it('lets a test of a flow import what it needs to put things together', () => {
    const found = inFile(
      'packages/gateway/src/flows/orders/create-order.test.ts',
      "import '../../chains/port.ts';\n",
      port,
    );
    expect(messages(found)).toEqual([]);
  });

  it('finds rooms that lean on each other in a circle, also over a third', () => {
    const found = tidy(
      project({
        'packages/gateway/src/runtime/metrics.ts': `${header}import '../roles/api/app.ts';\n`,
        'packages/gateway/src/roles/api/app.ts': `${header}import '../../runtime/metrics.ts';\n`,
      }),
    ).filter(({ rule }) => rule === 'cycle');
    expect(found.map(({ message }) => message)).toEqual([
      'rooms import each other in a circle: gateway/runtime/metrics → gateway/roles/api → gateway/runtime/metrics',
    ]);
  });
});

describe('banned words', () => {
  const core = 'packages/core/src/order/order.ts';
  const role = 'packages/gateway/src/roles/api/app.ts';
  it.each([
    ['core reads the clock', core, 'export const now = () => Date.now();', 'clock'],
    ['core makes a date of now', core, 'export const now = () => new Date();', 'clock'],
    [
      'core reads the clock through globalThis',
      core,
      'export const now = () => globalThis.Date.now();',
      'clock',
    ],
    ['core knows the calendar', core, 'export const then = new Date(0);', 'any-date'],
    ['core is random', core, 'export const chance = Math.random();', 'chance'],
    ['core waits', core, 'setTimeout(() => {}, 1);', 'timers'],
    ['core looks at the process', core, 'export const { argv } = process;', 'process'],
    ['core fetches', core, "fetch('http://node.test');", 'network'],
    ['core is asynchronous', core, 'export async function decide() {}', 'async'],
    ['a flow fetches', flow, "fetch('http://node.test');", 'network'],
    ['a flow reads the environment', flow, 'export const url = process.env.DATABASE_URL;', 'environment'],
    ['a flow opens the database', flow, "import { openDatabase } from '../../db/postgres/tx.ts';", 'pool'],
    ['a role reads the clock', role, 'export const at = Date.now();', 'clock'],
    ['a role draws random bytes', role, "import { randomBytes } from 'node:crypto';", 'chance'],
    ['a role sets a timer', role, 'setInterval(() => {}, 1);', 'timers'],
    ['a role imports timers', role, "import { setTimeout as wait } from 'node:timers/promises';", 'timers'],
    ['a role holds SQL', role, "export const q = 'SELECT * FROM orders';", 'sql'],
    [
      'a role holds SQL in a template',
      role,
      'export const q = (id: string) => `update orders set status = ${id}`;',
      'sql',
    ],
    [
      'the signer serves HTTP',
      'packages/signer/src/server/serve.ts',
      "import { createServer } from 'node:http';",
      'http',
    ],
  ])('are found when %s', (_, path, body, rule) => {
    const found = inFile(path, `${body}\n`, store).map((finding) => finding.rule);
    expect(found).toContain(rule);
  });

  it.each([
    [
      'a method of that name',
      'export const start = (socket: { setTimeout(ms: number): void }) => socket.setTimeout(1);',
    ],
    ['a date made of a given time', 'export const text = (ms: number) => new Date(ms).toISOString();'],
    [
      'a comment or text about it',
      "// fetch and setTimeout are not used here.\nexport const text = 'Please select a currency from the list';",
    ],
    ['a name of the file itself', 'export const ask = (fetch: () => void) => fetch();'],
  ])('are not found in %s', (_, body) => {
    expect(messages(inFile(role, `${body}\n`))).toEqual([]);
  });

  it('report an exception that nobody needs any more', () => {
    const found = inFile('packages/gateway/src/runtime/world.ts', 'export const still = 1;\n');
    expect(found.map(({ rule }) => rule)).toEqual(['clock', 'chance', 'timers']);
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
    expect(inFile(flow, `${body}\n`).map(({ rule }) => rule)).toEqual(['amount']);
  });
});

describe('sizes', () => {
  const long = (lines: number) => header + 'export {};\n'.repeat(lines - 1);

  it('end at 400 lines of a file', () => {
    expect(tidy(project({ [flow]: long(400) }))).toEqual([]);
    expect(messages(tidy(project({ [flow]: long(401) })))).toEqual([
      `${flow}:1 size: ${flow} has 401 lines, more than 400`,
    ]);
  });

  it('end at 60 lines of a function, of whatever form', () => {
    const body = (lines: number) => '  void 0;\n'.repeat(lines - 2);
    expect(inFile(flow, `export function walk() {\n${body(60)}}\n`)).toEqual([]);
    for (const open of [
      'export function walk() {',
      'export const walk = () => {',
      'export const all = { walk() {',
    ]) {
      const close = open.includes('all') ? '} };' : '}';
      expect(inFile(flow, `${open}\n${body(61)}${close}\n`).map(({ rule }) => rule)).toEqual(['size']);
    }
  });

  it('leave out a describe block, which is a chapter', () => {
    const tests = `describe.each([1])('x', () => {\n${"  it('y', () => {});\n".repeat(80)}});\n`;
    expect(inFile('packages/gateway/src/flows/x.test.ts', tests)).toEqual([]);
  });

  it('can only shrink: a listed size is today’s, and a listed thing is still there', () => {
    const source = parseSource(flow, long(410));
    expect(checkSizes([source], { [flow]: 410 })).toEqual([]);
    expect(checkSizes([source], { [flow]: 409 })).toHaveLength(1);
    expect(checkSizes([source], { [flow]: 411 })).toHaveLength(1);
    expect(checkSizes([parseSource(flow, long(390))], { [flow]: 390 })).toHaveLength(1);
    expect(checkSizes([source], { [flow]: 410, 'gone.ts': 500 })).toHaveLength(1);
  });
});
