// All rules over one tree.
import { checkAmounts } from './checks/amounts.ts';
import { checkBanned } from './checks/banned.ts';
import { checkDecisions } from './checks/decisions.ts';
import { checkDirection } from './checks/direction.ts';
import { checkHonestTests } from './checks/honest-tests.ts';
import { checkLicences } from './checks/licences.ts';
import { checkManifests } from './checks/manifests.ts';
import { checkMarks } from './checks/marks.ts';
import { checkSizes } from './checks/sizes.ts';
import { checkStyles } from './checks/styles.ts';
import { checkTour } from './checks/tour.ts';
import { checkWording } from './checks/wording.ts';
import { checkWords } from './checks/words.ts';
import type { Finding } from './finding.ts';
import type { Project } from './project.ts';
import { treeOf } from './tree.ts';

const checks = [
  checkDirection,
  checkBanned,
  checkAmounts,
  checkManifests,
  checkSizes,
  checkStyles,
  checkWording,
  checkWords,
  checkTour,
  checkMarks,
  checkHonestTests,
  checkLicences,
  checkDecisions,
];

/** Everything in the tree that breaks a rule of the house, by file and line. */
export function tidy(project: Project): readonly Finding[] {
  const tree = treeOf(project);
  const findings = checks.flatMap((check) => check(tree));
  return findings.sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line);
}
