// The command line of the fuzzer: starts a gateway, sends it generated requests, and checks every answer.
import { parseArgs } from 'node:util';
import { createMigratedTemplate } from '@ducat/testkit/database';
import { startTestPostgres } from '@ducat/devnet/postgres/test-database';
import { report } from './report.ts';
import { runFuzz } from './run-fuzz.ts';
import { startTarget } from './start-target.ts';
import { verdict } from './verdict.ts';

const usage = `npm run fuzz -- [--requests n] [--seed n] [--connections n]
sends 100000 generated requests, unless said otherwise, to a gateway of its own and checks every answer`;

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    connections: { type: 'string', default: '16' },
    help: { type: 'boolean', default: false },
  },
});

const [requests, seed, connections] = [values.requests, values.seed, values.connections].map(wholeNumber);
if (values.help || !requests || seed === undefined || Number.isNaN(seed) || !connections) {
  console.log(usage);
  process.exitCode = values.help ? 0 : 2;
} else {
  process.exitCode = await fuzz({ requests, seed, connections });
}

async function fuzz(plan: { requests: number; seed: number; connections: number }): Promise<number> {
  const postgres = await startTestPostgres();
  try {
    await createMigratedTemplate(postgres.adminUrl);
    const target = await startTarget(postgres.adminUrl);
    try {
      const startMs = performance.now();
      const result = await runFuzz(target, plan);
      const seconds = (performance.now() - startMs) / 1000;
      for (const line of report(result, plan.seed, seconds)) console.log(line);
      const troubles = verdict(result, await target.orders(), target.errors());
      for (const trouble of troubles) console.log(`TROUBLE ${trouble}`);
      console.log(troubles.length === 0 ? 'nothing was found' : 'something was found');
      return troubles.length === 0 ? 0 : 1;
    } finally {
      await target.stop();
    }
  } finally {
    await postgres.stop();
  }
}

function wholeNumber(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
}
