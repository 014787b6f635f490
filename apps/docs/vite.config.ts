// Builds what browsers load beside the pages: one script, one style sheet, the fonts. `src/site/main.ts` makes the pages.
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  // Pages lie at any depth, so files name each other by where they lie.
  base: './',
  logLevel: 'warn',
  build: {
    outDir: 'dist/public',
    assetsDir: 'assets',
    manifest: 'manifest.json',
    target: 'es2022',
    modulePreload: false,
    assetsInlineLimit: 0,
    rolldownOptions: { input: { docs: 'src/client/main.ts', style: 'src/style/docs.css' } },
  },
});
