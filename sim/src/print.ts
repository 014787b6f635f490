// Prints what a person needs to understand a run that failed.
import { commitOf } from './commit.ts';
import type { RunResult } from './run-seed.ts';

/** The last lines of the story: a failure is mostly understood from what happened shortly before. */
const STORY_LINES = 25;

/** `how` holds the arguments that replay the run. */
export function printFailure(result: RunResult, how = `--seed ${result.seed}`): void {
  const { seed, story, findings } = result;
  console.log(`\nseed ${seed} failed at commit ${commitOf()}; the last lines of its story:`);
  for (const line of story.slice(-STORY_LINES)) console.log(line);
  printFindings(result);
  console.log(`replay: npm run sim -- ${how}`);
  if (how.startsWith('--seed')) console.log(`for seeds.txt: ${seed} ${findings[0]?.checker ?? ''}\n`);
}

export function printReplay(result: RunResult, withTrace: boolean): void {
  const { seed, steps, traceHash, story, traceLines, counts } = result;
  for (const line of withTrace ? traceLines : story) console.log(line);
  printFindings(result);
  const counted = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  console.log(`seed ${seed} at commit ${commitOf()}: ${steps} steps, ${counted.join(', ')}`);
  console.log(`trace ${traceHash}`);
}

function printFindings({ findings }: RunResult): void {
  for (const { checker, message, step } of findings) {
    console.log(`VIOLATION at step ${step} of "${checker}": ${message}`);
  }
}
