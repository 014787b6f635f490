// Bundles the program ducat and the demo's gateway, with all that they import, into a few files: dist/bundle.
//
// Unbundled, the gateway loads two thousand files, and that takes three quarters of the processor time of its start. The
// bundle is written from the compiled files and changes nothing but how many there are.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const folder = `${dist}bundle`;
rmSync(folder, { recursive: true, force: true });

await build({
  input: {
    main: `${dist}main.js`,
    'gateway-ahead': `${dist}start/gateway/gateway-ahead.js`,
  },
  platform: 'node',
  // It reads a file that lies beside its own. pg-native is an optional part of pg that is not installed.
  external: ['tiny-secp256k1', 'pg-native'],
  output: { dir: folder, format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'part-[hash].js' },
});
