// `npm run measure`: the figures that the budgets of the house are about, one a line.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { countLines, filesByFolder } from './checks/sizes.ts';
import { deepestPath } from './graph.ts';
import { readProject } from './project.ts';
import { families } from './rules.ts';
import { child } from './source.ts';
import { treeOf } from './tree.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const tree = treeOf(readProject(root));
const gateway = 'packages/gateway/src/';
const chains = `${gateway}chains/`;

function show(name: string, value: number | string, budget = ''): void {
  console.log(`${name.padEnd(52)} ${String(value).padStart(7)}  ${budget}`);
}

function lines(places: readonly string[], isTest: boolean): number {
  const counted = tree.sources.filter(
    (source) => source.isTest === isTest && places.some((place) => source.path.startsWith(place)),
  );
  return counted.reduce((sum, { text }) => sum + countLines(text), 0);
}

/** Imports that close a circle between files. Types count, too, and oxlint's exceptions do not apply. */
function importsOnCircles(): number {
  const folder = mkdtempSync(join(tmpdir(), 'ducat-measure-'));
  const config = join(folder, 'oxlint.json');
  const rules = { 'import/no-cycle': ['error', { ignoreTypes: false }] };
  writeFileSync(config, JSON.stringify({ plugins: ['import'], categories: { correctness: 'off' }, rules }));
  const script = join(root, 'node_modules/oxlint/bin/oxlint');
  const flags = ['--config', config, '--disable-nested-config', '--format', 'json'];
  const found = spawnSync(process.execPath, [script, ...flags], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  rmSync(folder, { recursive: true, force: true });
  const { diagnostics }: { diagnostics: readonly unknown[] } = JSON.parse(found.stdout);
  return diagnostics.length;
}

/** All kinds of outage in outage.ts: those of its list, and those that are still allowed beside it. */
function outageKinds(): number {
  const text = tree.project.files.get(`${gateway}runtime/outage.ts`) ?? '';
  const lists = [...text.matchAll(/^(?:export )?(?:const \w*[kK]inds|type \w*Kind) =([^;]*);/gm)];
  return lists.flatMap(([, list = '']) => list.match(/'[\w-]+'/g) ?? []).length;
}

/** Named numbers of chains: those in tables of limits, or those in other files, of which most are formats. */
function constants(isTable: boolean): number {
  const counted = tree.sources.filter(
    ({ path, isTest }) => !isTest && path.startsWith(chains) && path.endsWith('/limits.ts') === isTable,
  );
  const named = counted.flatMap(({ nodes, text }) =>
    nodes.filter(({ node, parent }) => {
      const isConst = node.type === 'VariableDeclarator' && parent?.['kind'] === 'const';
      const value = isConst ? child(node, 'init') : isTable ? child(node, 'value') : null;
      return value !== null && /^-?[\d_]+n?(?: [*-]+ [\d_]+n?)*$/.test(text.slice(value.start, value.end));
    }),
  );
  return named.length;
}

show('lines of chains, product', lines([chains], false), 'at most 4,500');
show(
  'lines of chains and watcher, tests',
  lines([chains, `${gateway}roles/watcher/`], true),
  'at most 6,000',
);
show(
  'lines of what their tests share',
  lines(['packages/testkit/src/chains/', 'packages/testkit/src/watcher/'], true),
);
show('lines of the gateway, product', lines([gateway], false));
show('lines of tools/tidy, product and tests', lines(['tools/tidy/'], false) + lines(['tools/tidy/'], true));
for (const [folder, count] of filesByFolder(tree))
  if (count > 12) show(`files in ${folder}`, count, 'at most 15');
show('imports on a circle of files', importsOnCircles(), '0');
for (const family of families)
  show(`imports in a row in ${family}`, deepestPath(tree, family).length - 1, 'at most 9');
show('kinds of outage', outageKinds(), 'at most 8');
show('constants in tables of limits of chains', constants(true), 'fewer than 25');
show('other named numbers of chains: formats, codes', constants(false));
