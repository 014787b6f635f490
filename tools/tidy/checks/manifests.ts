// Checks the manifests of our own packages: siblings that are imported, and exact versions. The rest is left to knip.
import { type Finding, finding } from '../finding.ts';
import type { Project, Workspace } from '../project.ts';
import type { Tree } from '../tree.ts';

/**
 * npm does not isolate workspaces. An import of an undeclared sibling works here, but breaks for users who install the
 * package. A sibling that is not among the compiler's references breaks a build from nothing.
 */
export function checkManifests({ project, sources, workspaces, targetOf }: Tree): readonly Finding[] {
  const ofImports = sources.flatMap((source) => {
    const owner = workspaces.find(({ folder }) => source.path.startsWith(`${folder}/`));
    return source.imports.flatMap((found) => {
      const target = targetOf(source, found);
      const sibling = target.kind === 'file' ? target.workspace : null;
      if (owner === undefined || sibling === null || sibling === owner) return [];
      const why = undeclared(owner, sibling) ?? unreferenced(project, owner, sibling, source.isTest);
      return why === null ? [] : [finding(source.path, found.line, 'manifest', why)];
    });
  });
  return [...ofImports, ...workspaces.flatMap(looseVersions)];
}

function undeclared(owner: Workspace, { manifest: { name, version } }: Workspace): string | null {
  const declared = allDependencies(owner)[name];
  const manifest = `${owner.folder}/package.json`;
  if (declared === undefined) return `${name} is not declared in ${manifest}`;
  return declared === version ? null : `${name} is ${version}, and ${declared} in ${manifest}`;
}

function unreferenced(
  { files }: Project,
  owner: Workspace,
  sibling: Workspace,
  isTest: boolean,
): string | null {
  // Where tests have a TypeScript project of their own, their references belong there.
  const ofTests = `${owner.folder}/tsconfig.test.json`;
  const config = isTest && files.has(ofTests) ? ofTests : `${owner.folder}/tsconfig.json`;
  const last = sibling.folder.split('/').at(-1);
  const isReferenced = files.get(config)?.includes(`/${last}"`) ?? true;
  return isReferenced ? null : `${sibling.manifest.name} is not among the references of ${config}`;
}

/** Dependencies without an exact version. Exact versions install exactly what was tested. */
function looseVersions(workspace: Workspace): readonly Finding[] {
  const loose = Object.entries(allDependencies(workspace)).filter(
    ([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.-]+)?$/.test(version),
  );
  return loose.map(([name, version]) =>
    finding(`${workspace.folder}/package.json`, 1, 'manifest', `${name} has no exact version: ${version}`),
  );
}

function allDependencies({ manifest }: Workspace): Readonly<Record<string, string>> {
  return { ...manifest.devDependencies, ...manifest.optionalDependencies, ...manifest.dependencies };
}
