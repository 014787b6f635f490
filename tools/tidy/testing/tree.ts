// Small trees that exist only in tests, to show what tidy finds in them.
import type { Finding } from '../finding.ts';
import type { Project } from '../project.ts';
import { tidy } from '../tidy.ts';

export const flow = 'packages/gateway/src/flows/orders/place-order.ts';
export const header = '// What this file is for.\n';

/** A tree of the given files around the manifests of four packages. */
export function project(files: Readonly<Record<string, string>>): Project {
  const entries = { './*': { types: './dist/*.d.ts', default: './dist/*.js' } };
  const core = { name: '@ducat/core', version: '0.1.0', exports: entries };
  const gateway = {
    name: '@ducat/gateway',
    version: '0.1.0',
    exports: entries,
    dependencies: { '@ducat/core': '0.1.0', pg: '8.0.0', viem: '2.0.0' },
  };
  const all = {
    'packages/core/package.json': JSON.stringify(core),
    'packages/contract/package.json': JSON.stringify({ ...core, name: '@ducat/contract' }),
    'packages/gateway/package.json': JSON.stringify(gateway),
    'packages/testkit/package.json': JSON.stringify({ ...core, name: '@ducat/testkit' }),
    ...files,
  };
  return { files: new Map(Object.entries(all)), installedLicence: () => null };
}

/** The findings for one file with that body under a header line. */
export function inFile(
  path: string,
  body: string,
  others: Readonly<Record<string, string>> = {},
): readonly Finding[] {
  return tidy(project({ [path]: header + body, ...others }));
}

export function messages(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ file, line, rule, message }) => `${file}:${line} ${rule}: ${message}`);
}

export const port = { 'packages/gateway/src/chains/port.ts': `${header}export interface ChainPort {}\n` };
export const amount = { 'packages/core/src/money/amount.ts': `${header}export interface Amount {}\n` };
export const store = {
  'packages/gateway/src/db/postgres/tx.ts': `${header}export interface Tx {}\nexport function openDatabase() {}\n`,
};
