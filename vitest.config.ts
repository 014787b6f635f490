// One test run for the whole workspace: slow groups share the cores instead of fighting for them.
import { defineConfig } from 'vitest/config';

export default defineConfig({
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
    globalSetup: ['packages/gateway/src/testing/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    retry: 0,
    maxWorkers: 2,
  },
});
