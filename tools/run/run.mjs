// The one command behind `npm start`, `npm test`, `npm run build`, `npm run sim` and the other proofs.
//
// It needs only Node, because it runs before anything is installed. It checks the version of Node before it loads files
// that an older Node could not read.
import process from 'node:process';

const [command = '', ...args] = process.argv.slice(2);

if (isOldNode(process.versions.node)) {
  console.error(
    `Ducat needs Node 20.19 or newer; this is Node ${process.versions.node} (${process.execPath}).`,
  );
  process.exitCode = 1;
} else {
  const { runCommand } = await import('./commands.mjs');
  process.exitCode = await runCommand(command, args);
}

/** @param {string} version */
function isOldNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < 20 || (major === 20 && minor < 19);
}
