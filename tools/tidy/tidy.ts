// All rules over one tree.
import { checkAmounts } from './checks/amounts.ts';
import { checkBanned } from './checks/banned.ts';
import { checkMarks, checkTour } from './checks/comments.ts';
import { checkDecisions } from './checks/decisions.ts';
import { checkDirection } from './checks/direction.ts';
import { checkHonestTests } from './checks/honest-tests.ts';
import { checkManifests } from './checks/manifests.ts';
import { checkPackages } from './checks/packages.ts';
import { checkSizes } from './checks/sizes.ts';
import { checkWording } from './checks/wording.ts';
import type { Finding } from './finding.ts';
import { isSource, type Project, workspacesOf } from './project.ts';
import { parseSource, type Source } from './source.ts';

/** Everything in the tree that breaks a rule of the house, by file and line. */
export function tidy(project: Project): readonly Finding[] {
  const workspaces = workspacesOf(project);
  const sources = sourcesOf(project);
  const findings = [
    ...checkDirection(sources, workspaces),
    ...checkBanned(sources),
    ...checkAmounts(sources),
    ...checkManifests(project, sources, workspaces),
    ...checkSizes(sources),
    ...checkWording(project, sources),
    ...checkTour(project, sources),
    ...checkMarks(sources),
    ...checkHonestTests(sources),
    ...checkPackages(project),
    ...checkDecisions(project),
  ];
  return findings.sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line);
}

function sourcesOf(project: Project): readonly Source[] {
  return [...project.files].filter(([path]) => isSource(path)).map(([path, text]) => parseSource(path, text));
}
