// The command line of the benches: runs them one after the other and prints what came out, with an exit code.
import { parseArgs } from 'node:util';
import { type Figure, fullScale, quickScale } from './measure.ts';
import { benches } from './measures/registry.ts';
import { openStage } from './stage.ts';
import { allMet, tableText } from './table.ts';

const usage = `npm run bench -- [--only name[,name]] [--quick]   ratios against floors of the same run; 1 where a goal is missed
${benches.map(({ name, about }) => `  ${name.padEnd(10)} ${about}`).join('\n')}`;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

process.exitCode = await command();

async function command(): Promise<number> {
  const names = values.only?.split(',');
  const chosen = benches.filter(({ name }) => names === undefined || names.includes(name));
  const unknown = (names ?? []).filter((name) => !benches.some((bench) => bench.name === name));
  if (values.help || unknown.length > 0) {
    console.log(usage);
    return values.help ? 0 : 2;
  }
  const figures: Figure[] = [];
  const stage = await openStage();
  try {
    for (const bench of chosen) {
      const startMs = performance.now();
      const found = await bench.run(stage, values.quick ? quickScale : fullScale);
      const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
      console.log(`\n${bench.name}: ${bench.about} (${seconds} s)\n${tableText(found)}`);
      figures.push(...found);
    }
  } finally {
    await stage.close();
  }
  if (chosen.length > 1) console.log(`\nall\n${tableText(figures)}`);
  console.log(allMet(figures) ? '\nall goals are met' : '\na goal is missed');
  return allMet(figures) ? 0 : 1;
}
