// Finds banned names and constructs, room by room, and exceptions that are no longer needed.
import { bans, brokenBans } from '../bans.ts';
import { type Finding, finding } from '../finding.ts';
import { banExceptions } from '../rules.ts';
import type { Tree } from '../tree.ts';

/** Every broken ban outside tests. Tests of core are kept pure by what they may import. */
export function checkBanned({ sources, roomOf }: Tree): readonly Finding[] {
  return sources
    .filter(({ isTest }) => !isTest)
    .flatMap((source) => {
      const { path } = source;
      const excepted = banExceptions.filter(({ file }) => file === path).map(({ ban }) => ban);
      const broken = brokenBans(source, roomOf(path)?.bans ?? []);
      const needless = excepted.filter((name) => !broken.some(({ ban }) => ban === name));
      return [
        ...broken
          .filter(({ ban }) => !excepted.includes(ban))
          .map(({ ban, line }) => finding(path, line, ban, bans[ban].why)),
        ...needless.map((ban) =>
          finding(path, 1, ban, 'no longer needs its exception in tools/tidy/rules.ts'),
        ),
      ];
    });
}
