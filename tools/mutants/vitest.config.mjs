// The tests of packages/core, in the copy that Stryker mutates.
import process from 'node:process';

// Long, because Stryker measures each test and sets a timeout of its own for each mutant.
const testTimeout = 120_000;

export default { root: process.cwd(), test: { include: ['src/**/*.test.ts'], testTimeout } };
