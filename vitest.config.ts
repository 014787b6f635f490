// One test run for the whole workspace: slow groups share the cores instead of fighting for them.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The sources of a package by its name, so that no module is loaded twice: once as source, once compiled. */
function sourcesOf(name: string): { readonly find: RegExp; readonly replacement: string } {
  const folder = fileURLToPath(new URL(`packages/${name}/src/`, import.meta.url)).replaceAll('\\', '/');
  return { find: new RegExp(`^@ducat/${name}/(.*)$`), replacement: `${folder}$1.ts` };
}

export default defineConfig({
  // Tests of the gateway import its files by their paths, and what tests share imports the same files by name.
  resolve: { alias: [sourcesOf('gateway'), sourcesOf('testkit')] },
  test: {
    include: [
      'packages/**/*.test.ts',
      'apps/**/*.test.ts',
      'sim/**/*.test.ts',
      'bench/**/*.test.ts',
      'fuzz/**/*.test.ts',
      'chaos/**/*.test.ts',
      'tools/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['packages/testkit/src/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    retry: 0,
    maxWorkers: 2,
  },
});
