// The whole tree keeps the rules of the house.
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { describeFinding } from './finding.ts';
import { readProject } from './project.ts';
import { oversized } from './rules.ts';
import { tidy } from './tidy.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

it('finds nothing that breaks a rule', () => {
  const project = readProject(root);
  expect(project.files.size).toBeGreaterThan(100);
  expect(tidy(project).map(describeFinding)).toEqual([]);
});

it('knows no more oversized files and functions than before', () => {
  expect(Object.keys(oversized).length).toBeLessThanOrEqual(0);
});
