// The tree that tidy looks at: every text file of ours by path, read once.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lock } from '../run/complete-lock.mjs';
import { proofs } from './rules.ts';

export interface Project {
  /** Text by path from the root, with forward slashes. */
  readonly files: ReadonlyMap<string, string>;
  /** The licence that an installed package states for itself, by its path in the lock; null when it is not installed. */
  readonly installedLicence: (lockPath: string) => string | null;
}

export interface Manifest {
  readonly name: string;
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
}

/** One of our packages. */
export interface Workspace {
  readonly folder: string;
  readonly manifest: Manifest;
}

const topFolders = ['packages', 'apps', ...proofs, 'tools', 'docs'];
const rootFiles = ['package.json', 'package-lock.json', 'tsconfig.json', 'vitest.config.ts'];
const textFile = /\.(?:ts|mjs|sql|md|json|toml)$/;
const skippedFolders = new Set(['node_modules', 'dist', 'generated', '.ducat', 'coverage']);

/** Reads the tree below `root`. */
export function readProject(root: string): Project {
  const files = new Map<string, string>();
  for (const name of rootFiles) {
    if (existsSync(join(root, name))) files.set(name, readText(join(root, name)));
  }
  for (const folder of topFolders) {
    if (existsSync(join(root, folder))) readFolder(root, folder, files);
  }
  return { files, installedLicence: (lockPath) => readLicence(join(root, lockPath, 'package.json')) };
}

/** Our packages, found by their manifests. */
export function workspacesOf(project: Project): readonly Workspace[] {
  const found: Workspace[] = [];
  for (const [path, text] of project.files) {
    if (!/^(?:(?:packages|apps)\/[^/]+|sim|bench|chaos|fuzz|tools)\/package\.json$/.test(path)) continue;
    // The manifest's shape is npm's own; what is read of it is looked at field by field.
    const manifest = JSON.parse(text) as Manifest;
    found.push({ folder: path.slice(0, -'/package.json'.length), manifest });
  }
  return found;
}

/** The lock, or null where there is none. */
export function lockOf(project: Project): Lock | null {
  const text = project.files.get('package-lock.json');
  // npm writes the lock; the fields we read are described by the type.
  return text === undefined ? null : (JSON.parse(text) as Lock);
}

/** Whether a file is code that is parsed. */
export function isSource(path: string): boolean {
  return /\.(?:ts|mjs)$/.test(path);
}

/** Whether a file is a test or exists for tests only. */
export function isTestFile(path: string): boolean {
  return path.endsWith('.test.ts') || /\/(?:testing|testkit|test)\//.test(path);
}

function readFolder(root: string, folder: string, files: Map<string, string>): void {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!skippedFolders.has(entry.name)) readFolder(root, path, files);
    } else if (textFile.test(entry.name)) {
      files.set(path, readText(join(root, path)));
    }
  }
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
  if (typeof license === 'string') return license;
  return JSON.stringify(license ?? licenses ?? null);
}
