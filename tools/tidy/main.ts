// Tidy as a command: one line for each finding, and an exit code.
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { describeFinding } from './finding.ts';
import { readProject } from './project.ts';
import { tidy } from './tidy.ts';

const findings = tidy(readProject(fileURLToPath(new URL('../../..', import.meta.url))));
for (const finding of findings) console.error(describeFinding(finding));
process.exitCode = findings.length === 0 ? 0 : 1;
