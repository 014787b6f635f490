// Runs a command of ducat in the process of a test.
import type { Command } from 'commander';

/** What it printed, and the code that the process would end with. Throws what the command throws. */
export async function runCommand(
  command: Command,
  args: readonly string[],
): Promise<{ readonly code: number; readonly output: string }> {
  const { exitCode: before, stdout } = process;
  const write = stdout.write.bind(stdout);
  let output = '';
  stdout.write = (text: string | Uint8Array) => {
    output += String(text);
    return true;
  };
  process.exitCode = 0;
  try {
    await command.parseAsync(args, { from: 'user' });
    return { code: Number(process.exitCode), output };
  } finally {
    stdout.write = write;
    process.exitCode = before;
  }
}
