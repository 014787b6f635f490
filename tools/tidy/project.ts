// The tree that tidy checks: every text file of ours by path, read once.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lock } from '../run/complete-lock.mjs';

export interface Project {
  /** Text by path from the root, with forward slashes. */
  readonly files: ReadonlyMap<string, string>;
  /** The licence that an installed package states for itself, by its path in the lock; null when it is not installed. */
  readonly installedLicence: (lockPath: string) => string | null;
}

interface Manifest {
  readonly name: string;
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, { readonly default: string } | undefined>>;
}

/** One of our packages. */
export interface Workspace {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Workspaces that test the product from outside. They may import everything, and no other package may import them. */
export const proofs: readonly string[] = ['sim', 'bench', 'chaos', 'fuzz'];

const topFolders = ['packages', 'apps', ...proofs, 'tools', 'docs'];
const textFile = /\.(?:tsx?|mjs|sql|md|json|toml|css)$/;
const skippedFolders = new Set(['node_modules', 'dist', 'generated', '.ducat', 'coverage', '.stryker-tmp']);

/** Reads the tree below `root`. */
export function readProject(root: string): Project {
  const files = new Map<string, string>();
  const add = (path: string) => files.set(path, readText(join(root, path)));
  for (const name of readdirSync(root)) if (textFile.test(name) && !name.startsWith('.')) add(name);
  for (const folder of topFolders) {
    if (existsSync(join(root, folder))) for (const path of filesBelow(root, folder)) add(path);
  }
  return { files, installedLicence: (lockPath) => readLicence(join(root, lockPath, 'package.json')) };
}

/** Our packages, found by their manifests. */
export function workspacesOf({ files }: Project): readonly Workspace[] {
  return [...files].flatMap(([path, text]) => {
    const folder = /^((?:packages|apps)\/[^/]+|[^/]+)\/package\.json$/.exec(path)?.[1];
    // The manifest's shape is npm's own.
    return folder === undefined ? [] : [{ folder, manifest: JSON.parse(text) as Manifest }];
  });
}

/** The lock, or null where there is none. */
export function lockOf({ files }: Project): Lock | null {
  const text = files.get('package-lock.json');
  // npm writes the lock; the fields we read are described by the type.
  return text === undefined ? null : (JSON.parse(text) as Lock);
}

/** Whether a file is code that is parsed. */
export function isSource(path: string): boolean {
  return /\.(?:tsx?|mjs)$/.test(path);
}

/** Whether a file is a test or exists for tests only. */
export function isTestFile(path: string): boolean {
  return path.endsWith('.test.ts') || /\/(?:testing|testkit|test)\//.test(path);
}

function filesBelow(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return textFile.test(entry.name) ? [path] : [];
    return skippedFolders.has(entry.name) ? [] : filesBelow(root, path);
  });
}

/** A checkout on Windows may hold CRLF. */
function readText(file: string): string {
  return readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
}

function readLicence(file: string): string | null {
  if (!existsSync(file)) return null;
  const { license, licenses }: { license?: unknown; licenses?: unknown } = JSON.parse(
    readFileSync(file, 'utf8'),
  );
  return typeof license === 'string' ? license : JSON.stringify(license ?? licenses ?? null);
}
