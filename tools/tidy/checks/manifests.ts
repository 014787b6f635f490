// What a package imports is in its manifest, at the exact version, and in its compiler references.
import type { Finding } from '../finding.ts';
import type { Project, Workspace } from '../project.ts';
import { resolveImport } from '../rooms.ts';
import { proofs } from '../rules.ts';
import type { Source } from '../source.ts';

/**
 * npm builds no walls: an import of a sibling that is not declared works here and breaks for whoever installs the
 * package. The same holds for packages from the registry that another one happened to bring.
 */
export function checkManifests(
  project: Project,
  sources: readonly Source[],
  workspaces: readonly Workspace[],
): readonly Finding[] {
  const findings: Finding[] = [];
  const rootText = project.files.get('package.json');
  const rootNames = rootText === undefined ? [] : Object.keys(JSON.parse(rootText).devDependencies ?? {});
  for (const source of sources) {
    const owner = workspaces.find(({ folder }) => source.path.startsWith(`${folder}/`));
    if (owner === undefined) continue;
    const isShipped = !source.isTest && isProductCode(source.path);
    for (const { specifier, line } of source.imports) {
      const target = resolveImport(source.path, specifier, workspaces);
      const add = (message: string) => findings.push({ file: source.path, line, rule: 'manifest', message });
      if (target.kind === 'file' && target.workspace !== null && target.workspace !== owner) {
        const why = undeclaredWorkspace(project, owner, target.workspace, isShipped, source.isTest);
        if (why !== null) add(why);
      }
      if (target.kind === 'package' && !isDeclared(owner, target.name, isShipped, rootNames)) {
        add(`${target.name} is not declared in ${owner.folder}/package.json`);
      }
    }
  }
  return [...findings, ...looseVersions(workspaces)];
}

/** Scripts that generate or bundle run in this repository only. */
function isProductCode(path: string): boolean {
  return path.includes('/src/') && !proofs.includes(path.split('/', 1)[0] ?? '');
}

function undeclaredWorkspace(
  project: Project,
  owner: Workspace,
  target: Workspace,
  isShipped: boolean,
  isTest: boolean,
): string | null {
  const { name, version } = target.manifest;
  const { dependencies = {}, devDependencies = {} } = owner.manifest;
  const declared = dependencies[name] ?? (isShipped ? undefined : devDependencies[name]);
  if (declared === undefined) return `${name} is not declared in ${owner.folder}/package.json`;
  if (declared !== version) return `${name} is declared as ${declared} and is ${version}`;
  const config = project.files.get(`${owner.folder}/tsconfig.json`);
  // Where tests have a project of their own, what they need is no reference of the product.
  const ofTests = isTest ? project.files.get(`${owner.folder}/tsconfig.test.json`) : undefined;
  const last = target.folder.split('/').at(-1);
  const isReferenced = config === undefined || (ofTests ?? config).includes(`/${last}"`);
  const which = ofTests === undefined ? 'tsconfig.json' : 'tsconfig.test.json';
  return isReferenced ? null : `${name} is not among the references of ${owner.folder}/${which}`;
}

function isDeclared(
  owner: Workspace,
  name: string,
  isShipped: boolean,
  rootNames: readonly string[],
): boolean {
  const { dependencies = {}, devDependencies = {}, optionalDependencies = {} } = owner.manifest;
  if (name in dependencies || name in optionalDependencies) return true;
  return !isShipped && (name in devDependencies || rootNames.includes(name));
}

/** Exact versions everywhere: what was tested is what is installed. */
function looseVersions(workspaces: readonly Workspace[]): readonly Finding[] {
  return workspaces.flatMap(({ folder, manifest }) => {
    const { dependencies, devDependencies, optionalDependencies } = manifest;
    const all = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    const loose = all.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.-]+)?$/.test(version));
    return loose.map(([name, version]) => ({
      file: `${folder}/package.json`,
      line: 1,
      rule: 'manifest',
      message: `${name} is declared as ${version}, which is not one exact version`,
    }));
  });
}
