// Small trees that exist only in tests, to show what tidy finds in them.
import { readFileSync } from 'node:fs';
import type { Finding } from '../finding.ts';
import type { Project } from '../project.ts';
import { tidy } from '../tidy.ts';

export const flow = 'packages/gateway/src/flows/orders/place-orders.ts';
export const header = '// What this file is for.\n';

const rooms = readFileSync(new URL('../rooms.md', import.meta.url), 'utf8');

/** A tree of the given files around the rooms and the manifests of four packages. */
export function project(files: Readonly<Record<string, string>>): Project {
  const entries = { './*': { types: './dist/*.d.ts', default: './dist/*.js' } };
  const core = { name: '@ducat/core', version: '0.1.0', exports: entries };
  const dependencies = { '@ducat/core': '0.1.0', pg: '8.0.0', viem: '2.0.0' };
  const all = {
    'tools/tidy/rooms.md': rooms,
    'packages/core/package.json': JSON.stringify(core),
    'packages/contract/package.json': JSON.stringify({ ...core, name: '@ducat/contract' }),
    'packages/gateway/package.json': JSON.stringify({ ...core, name: '@ducat/gateway', dependencies }),
    'packages/testkit/package.json': JSON.stringify({ ...core, name: '@ducat/testkit' }),
    ...files,
  };
  return { files: new Map(Object.entries(all)), installedLicence: () => null };
}

/** The findings in these files, without those about words, which have tests of their own. */
export function findings(files: Readonly<Record<string, string>>): readonly Finding[] {
  return tidy(project(files)).filter(({ rule }) => rule !== 'word');
}

/** The findings for one file with that body under a header line. */
export function inFile(
  path: string,
  body: string,
  others: Readonly<Record<string, string>> = {},
): readonly Finding[] {
  return findings({ [path]: header + body, ...others });
}

/** The rules that the findings name. */
export function rulesOf(found: readonly Finding[]): readonly string[] {
  return found.map(({ rule }) => rule);
}

export const port = {
  'packages/gateway/src/chains/port/reader.ts': `${header}export interface ChainReader {}\n`,
};
export const amount = { 'packages/core/src/money/amount.ts': `${header}export interface Amount {}\n` };
export const store = {
  'packages/gateway/src/db/postgres/tx.ts': `${header}export interface Tx {}\nexport function openDatabase() {}\n`,
};
