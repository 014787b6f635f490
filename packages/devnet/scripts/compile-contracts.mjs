// Compiles contracts/*.sol into src/contracts/generated, which is committed: nothing else needs the compiler.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const solc = require('solc');
const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'src/contracts/generated');
const names = readdirSync(join(root, 'contracts'))
  .filter((name) => name.endsWith('.sol'))
  .sort();
const sources = Object.fromEntries(
  names.map((name) => [name, { content: readFileSync(join(root, 'contracts', name), 'utf8') }]),
);

const input = {
  language: 'Solidity',
  sources,
  settings: {
    optimizer: { enabled: true, runs: 200 },
    // The oldest rules that all chains of the house share (no PUSH0).
    evmVersion: 'paris',
    metadata: { bytecodeHash: 'none' },
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
  },
};
const readImport = (path) => ({ contents: readFileSync(require.resolve(path), 'utf8') });
const output = JSON.parse(solc.compile(JSON.stringify(input), { import: readImport }));
const messages = output.errors ?? [];
const failures = messages.filter(({ severity }) => severity === 'error');
for (const { formattedMessage } of failures) process.stderr.write(formattedMessage);
if (failures.length > 0) process.exit(1);

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const written = [];
for (const file of names) {
  for (const [contract, { abi, evm }] of Object.entries(output.contracts[file])) {
    if (evm.bytecode.object === '') continue;
    const kebab = contract.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase();
    writeFileSync(
      join(target, `${kebab}.ts`),
      `// Compiled from contracts/${file} by scripts/compile-contracts.mjs; do not edit.\n` +
        `export const abi = ${JSON.stringify(abi)} as const;\n` +
        `export const bytecode = '0x${evm.bytecode.object}' as const;\n`,
    );
    written.push(kebab);
  }
}
const hash = createHash('sha256');
for (const name of names)
  hash.update(name).update('\0').update(sources[name].content.replaceAll('\r\n', '\n')).update('\0');
writeFileSync(
  join(target, 'source-hash.ts'),
  '// Names the sources from which the artifacts beside it were compiled; do not edit.\n' +
    `export const sourceHash = '${hash.digest('hex')}';\n`,
);
process.stdout.write(`${written.length} contracts with solc ${solc.version()}: ${written.join(', ')}\n`);
