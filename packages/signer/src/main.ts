// The program ducat-signer: picks the command, and turns trouble into one plain line and an exit code.
import { readArguments, usage } from './arguments.ts';
import { runApprove, runMakeApprover } from './approver-commands.ts';
import { runCreate, runImport, runServe } from './commands.ts';
import { runBeginLog, runListLog, runResume, runVerifyLog } from './log-commands.ts';
import { bugEntry } from './log.ts';
import { OperatorError } from './operator-error.ts';

try {
  const args = readArguments(process.argv.slice(2));
  switch (args.command) {
    case 'help':
      process.stdout.write(usage);
      break;
    case 'create':
      await runCreate(args);
      break;
    case 'import':
      await runImport(args);
      break;
    case 'serve':
      await runServe(args);
      break;
    case 'begin-log':
      await runBeginLog(args);
      break;
    case 'verify-log':
      runVerifyLog(args);
      break;
    case 'list-log':
      await runListLog(args);
      break;
    case 'resume':
      runResume(args);
      break;
    case 'make-approver':
      await runMakeApprover(args);
      break;
    case 'approve':
      await runApprove(args);
      break;
  }
} catch (error) {
  // Only an OperatorError's message is known to be free of secrets.
  const text =
    error instanceof OperatorError ? `${error.message} [${error.code}]` : JSON.stringify(bugEntry(error));
  process.stderr.write(`ducat-signer: ${text}\n`);
  process.exitCode = 1;
}
