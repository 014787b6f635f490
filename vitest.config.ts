// One test run for the whole workspace, in three projects: tests that need no database do not wait for one.
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The sources of a package by its name, so that no module is loaded twice: once as source, once compiled. */
function sourcesOf(name: string): { readonly find: RegExp; readonly replacement: string } {
  const folder = fileURLToPath(new URL(`packages/${name}/src/`, import.meta.url)).replaceAll('\\', '/');
  return { find: new RegExp(`^@ducat/${name}/(.*)$`), replacement: `${folder}$1.ts` };
}

/** Tests that open no database of the run; what they start, they start themselves. */
const pure = [
  'packages/{core,contract,signer,devnet,tron-dev,testkit}/**/*.test.ts',
  'packages/gateway/src/{chains,config,rates}/**/*.test.ts',
  'apps/{checkout,docs,recover}/**/*.test.ts',
  'tools/**/*.test.ts',
];

/** The flows of orders, blocks and deliveries on partitioned tables: the same tests, the same statements. */
const partitioned = [
  'packages/gateway/src/roles/api/orders/order-reads.test.ts',
  'packages/gateway/src/flows/orders/place-orders.test.ts',
  'packages/gateway/src/flows/deliveries/{event-order,archive-deliveries}.test.ts',
  'packages/gateway/test/partitioned.test.ts',
];

/** Those that take minutes, so that none of them begins when all others are done. */
const longest = ['apps/cli/src/system.test.ts', 'chaos/src/chaos.test.ts', 'sim/src/sim.test.ts'];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => longest.some((file) => moduleId.endsWith(`/${file}`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  // Tests of the gateway import its files by their paths, and what tests share imports the same files by name.
  resolve: { alias: [sourcesOf('gateway'), sourcesOf('testkit')] },
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    retry: 0,
    sequence: { sequencer: LongestFirst },
    // Three more than cores: many tests wait for blocks, leases and time-outs. All share one PostgreSQL, which has its limits.
    maxWorkers: Math.min(8, availableParallelism() + 3),
    // No test changes a module or a global of Node, so files may share a process. It saves half a second of CPU a file.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'partitioned',
          include: partitioned,
          globalSetup: ['packages/testkit/src/partitioned-setup.ts'],
        },
      },
      { extends: true, test: { name: 'pure', include: pure, exclude: ['**/dist/**', '**/node_modules/**'] } },
      {
        extends: true,
        test: {
          name: 'whole',
          include: ['{packages,apps,sim,bench,fuzz,chaos}/**/*.test.ts'],
          exclude: [...pure, 'packages/gateway/test/partitioned.test.ts', '**/dist/**', '**/node_modules/**'],
          globalSetup: ['packages/testkit/src/global-setup.ts'],
        },
      },
    ],
  },
});
