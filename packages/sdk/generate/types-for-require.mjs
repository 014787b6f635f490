// Lays the types down once more, for programs that load the package with require: the same text, read as CommonJS.
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Node loads the one build either way. TypeScript goes by the nearest manifest, and refuses the types of an ES module in
// a CommonJS program (TS1479).
const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const target = `${dist}for-require/`;

rmSync(target, { recursive: true, force: true });
for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  if (name.endsWith('.d.ts') && !name.includes('.test.')) cpSync(dist + name, target + name);
}
writeFileSync(`${target}package.json`, '{ "type": "commonjs" }\n');
