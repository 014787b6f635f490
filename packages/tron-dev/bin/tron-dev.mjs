#!/usr/bin/env node
// Starts the command line of tron-dev.
import { runCli } from '../dist/cli.js';

try {
  const code = await runCli(process.argv.slice(2), (text) => process.stdout.write(text));
  if (code !== null) process.exit(code);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
