// The tests of packages/core, in the copy that Stryker mutates.
import process from 'node:process';

export default { root: process.cwd(), test: { include: ['src/**/*.test.ts'] } };
