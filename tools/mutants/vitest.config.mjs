// The tests of packages/core, in the copy that Stryker mutates.
import process from 'node:process';

// Stryker measures how long each test takes and has limits of its own, by mutant.
const testTimeout = 120_000;

export default { root: process.cwd(), test: { include: ['src/**/*.test.ts'], testTimeout } };
