// What comes from outside: licences of what we ship, and a lock that works everywhere and names no registry.
import { entriesWithHost, missingEntries } from '../../run/complete-lock.mjs';
import type { Finding } from '../finding.ts';
import { lockOf, type Project } from '../project.ts';
import { licences } from '../rules.ts';

/** Licences of production packages; platform entries and registry hosts of the lock. */
export function checkPackages(project: Project): readonly Finding[] {
  const lock = lockOf(project);
  if (lock === null) return [];
  const findings: Finding[] = [];
  const add = (rule: string, message: string) =>
    findings.push({ file: 'package-lock.json', line: 1, rule, message });
  for (const path of Object.keys(missingEntries(lock))) add('lock', `lacks ${path}; run: npm run lock`);
  for (const path of entriesWithHost(lock)) add('lock', `says where ${path} came from; run: npm run lock`);
  for (const [path, entry] of Object.entries(lock.packages)) {
    const isOurs = !path.includes('node_modules/') || entry.link === true;
    if (isOurs || entry.dev === true || entry.devOptional === true) continue;
    const licence = entry.license ?? project.installedLicence(path);
    // A package of another platform is not installed here; its sibling for this platform has the same licence.
    if (licence === null && entry.optional === true) continue;
    if (!isAllowed(licence)) add('licence', `${path} has the licence ${licence ?? 'none'}`);
  }
  return findings;
}

/** Understands plain names and the "or" and "and" of SPDX without nesting. */
function isAllowed(licence: string | null): boolean {
  if (licence === null) return false;
  const choices = licence.replace(/^\(|\)$/g, '').split(/ or /i);
  return choices.some((choice) => choice.split(/ and /i).every((name) => licences.includes(name.trim())));
}
