// Prints what a person needs to understand a run that failed.
import type { RunResult } from './run-seed.ts';

/** A failure is mostly understood from what happened shortly before. */
const STORY_LINES = 25;

export function printFailure(result: RunResult): void {
  const { seed, findings, story } = result;
  console.log(`\nseed ${seed} failed; the last lines of its story:`);
  for (const line of story.slice(-STORY_LINES)) console.log(line);
  printFindings(result);
  console.log(`replay: npm run sim -- --seed ${seed}\n`);
  if (findings.length === 0) console.log('nothing was found');
}

export function printReplay(result: RunResult, withTrace: boolean): void {
  const { seed, steps, traceHash, story, traceLines, counts } = result;
  for (const line of withTrace ? traceLines : story) console.log(line);
  printFindings(result);
  const told = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  console.log(`seed ${seed}: ${steps} steps, ${told.join(', ')}`);
  console.log(`trace ${traceHash}`);
}

function printFindings({ findings }: RunResult): void {
  for (const { checker, message, step } of findings) {
    console.log(`VIOLATION at step ${step} of "${checker}": ${message}`);
  }
}
