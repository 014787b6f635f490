// Bundles the program ducat and the demo's gateway, with all that they import, into a few files: dist/bundle.
//
// Unbundled, the gateway loads 1,900 files. To find, read and compile them one by one takes three quarters of the processor
// time of loading.
import { renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const folder = `${dist}bundle`;
const unfinished = `${dist}bundle-unfinished`;

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
// A build that failed leaves the former bundle.
rmSync(folder, { recursive: true, force: true });
renameSync(unfinished, folder);
