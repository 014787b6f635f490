// The commit that a run belongs to: a seed means the same only for the same code.
import { execFileSync } from 'node:child_process';

/** The hash of the commit, with `+` where the tree was changed since; "unknown" where there is no git. */
export function commitOf(): string {
  try {
    const git = (...args: string[]): string =>
      execFileSync('git', args, {
        cwd: import.meta.dirname,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    return git('rev-parse', 'HEAD').trim() + (git('status', '--porcelain').trim() === '' ? '' : '+');
  } catch {
    return 'unknown';
  }
}
