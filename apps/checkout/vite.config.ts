// Builds what browsers load: two scripts, one style sheet, the fonts. The server's half is compiled with everything else.
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  // The page may be mounted anywhere, so files name each other by where they lie.
  base: './',
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: 'dist/client',
    assetsDir: '.',
    manifest: 'manifest.json',
    target: 'es2020',
    modulePreload: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: {
        page: 'src/client/main.tsx',
        ducat: 'src/client/ducat.ts',
        checkout: 'src/style/checkout.css',
      },
      // Merchants name this one in their pages, so its address never changes.
      output: { entryFileNames: ({ name }) => (name === 'ducat' ? '[name].js' : '[name]-[hash].js') },
    },
  },
});
