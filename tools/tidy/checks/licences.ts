// Checks that every package that is shipped with Ducat has a licence that allows it.
import { type Finding, finding } from '../finding.ts';
import { lockOf } from '../project.ts';
import { licences } from '../rules.ts';
import type { Tree } from '../tree.ts';

/** Licences of production packages, as the lock or the installed package states them. */
export function checkLicences({ project }: Tree): readonly Finding[] {
  const shipped = Object.entries(lockOf(project)?.packages ?? {}).filter(
    ([path, { link, dev, devOptional }]) => path.includes('node_modules/') && !link && !dev && !devOptional,
  );
  return shipped.flatMap(([path, entry]) => {
    const licence = entry.license ?? project.installedLicence(path);
    // A package of another platform is not installed here. The package for this platform has the same licence.
    if (isAllowed(licence) || (licence === null && entry.optional === true)) return [];
    return [finding('package-lock.json', 1, 'licence', `${path} has the licence ${licence ?? 'none'}`)];
  });
}

/** Whether a licence is allowed: a plain name, or an SPDX expression with "or" and "and" but without nesting. */
function isAllowed(licence: string | null): boolean {
  const choices = licence?.replace(/^\(|\)$/g, '').split(/ or /i) ?? [];
  return choices.some((choice) => choice.split(/ and /i).every((name) => licences.includes(name.trim())));
}
