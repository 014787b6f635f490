// Compiles contracts/*.sol into src/contracts/generated, which is committed: nothing else needs the compiler.
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const solc = createRequire(import.meta.url)('solc');
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
    evmVersion: 'paris',
    metadata: { bytecodeHash: 'none' },
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
  },
};
const output = JSON.parse(solc.compile(JSON.stringify(input)));
const failures = (output.errors ?? []).filter(({ severity }) => severity === 'error');
for (const { formattedMessage } of failures) process.stderr.write(formattedMessage);
if (failures.length > 0) process.exit(1);

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
for (const file of names) {
  for (const [contract, { abi, evm }] of Object.entries(output.contracts[file])) {
    const kebab = contract.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase();
    writeFileSync(
      join(target, `${kebab}.ts`),
      `// Compiled from contracts/${file} by scripts/compile-contracts.mjs; do not edit.\n` +
        `export const abi = ${JSON.stringify(abi)} as const;\n` +
        `export const bytecode = '0x${evm.bytecode.object}' as const;\n`,
    );
  }
}
