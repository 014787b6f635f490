// Compiles contracts/sweeper.yul into contracts/sweeper.json, which is committed. With --check it compares, and ends with 1 where they differ.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const solc = createRequire(import.meta.url)('solc');
const folder = new URL('../contracts/', import.meta.url);
const content = readFileSync(new URL('sweeper.yul', folder), 'utf8').replaceAll('\r\n', '\n');
const settings = {
  evmVersion: 'shanghai',
  optimizer: { enabled: true, details: { yul: true } },
  outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
};
const input = { language: 'Yul', sources: { sweeper: { content } }, settings };
const { contracts, errors = [] } = JSON.parse(solc.compile(JSON.stringify(input)));
for (const { formattedMessage } of errors) process.stderr.write(formattedMessage);
const code = contracts.sweeper.Sweeper.evm.bytecode.object;
const source = createHash('sha256').update(content).digest('hex');
const file = new URL('sweeper.json', folder);
const text = `${JSON.stringify({ source, compiler: solc.version(), code }, null, 2)}\n`;
if (!process.argv.includes('--check')) writeFileSync(file, text);
else process.exitCode = readFileSync(file, 'utf8') === text ? 0 : 1;
