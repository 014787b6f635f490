// Bundles the program ducat and the demo's gateway, with all that they import, into a few files: dist/bundle.
//
// Unbundled, the gateway loads 1,900 files. To find, read and compile them one by one takes three quarters of the processor
// time of loading.
import { cpSync, existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const folder = `${dist}bundle`;
const unfinished = `${dist}bundle-unfinished`;

/** A demo that runs from an earlier build loads some parts only when it needs them. Counted from that build. */
const PARTS_KEPT_MS = 7 * 24 * 3_600_000;

rmSync(unfinished, { recursive: true, force: true });
await build({
  input: {
    main: `${dist}main.js`,
    'gateway-ahead': `${dist}start/gateway/gateway-ahead.js`,
  },
  platform: 'node',
  // tiny-secp256k1 reads a file that lies beside its own. pg-native is an optional part of pg that is not installed.
  external: ['tiny-secp256k1', 'pg-native'],
  output: { dir: unfinished, format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'part-[hash].js' },
});
keepFormerParts();
// A build that failed leaves the former bundle.
rmSync(folder, { recursive: true, force: true });
renameSync(unfinished, folder);

/** A part's name is a hash of its content, so parts of many builds can lie side by side. */
function keepFormerParts() {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const isYoung = Date.now() - statSync(`${folder}/${name}`).mtimeMs < PARTS_KEPT_MS;
    const isPart = name.startsWith('part-') && !existsSync(`${unfinished}/${name}`);
    if (isPart && isYoung) cpSync(`${folder}/${name}`, `${unfinished}/${name}`, { preserveTimestamps: true });
  }
}
