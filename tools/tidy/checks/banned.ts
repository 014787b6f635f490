// Banned words and constructs, room by room, and that every exception is still needed.
import { bans, brokenAt } from '../bans.ts';
import type { Finding } from '../finding.ts';
import { roomOf } from '../rooms.ts';
import { banExceptions } from '../rules.ts';
import type { Source } from '../source.ts';

/** Every broken ban outside tests; tests of core are held to its purity by what they may import. */
export function checkBanned(sources: readonly Source[]): readonly Finding[] {
  const findings: Finding[] = [];
  const used = new Set<string>();
  const known = new Set(sources.map(({ path }) => path));
  for (const source of sources) {
    if (source.isTest) continue;
    for (const name of roomOf(source.path)?.bans ?? []) {
      const lines = brokenAt(source, name);
      const isException = banExceptions.some(({ file, ban }) => file === source.path && ban === name);
      if (isException && lines.length > 0) used.add(`${source.path} ${name}`);
      if (isException) continue;
      for (const line of lines)
        findings.push({ file: source.path, line, rule: name, message: bans[name].why });
    }
  }
  for (const { file, ban } of banExceptions) {
    if (!known.has(file) || used.has(`${file} ${ban}`)) continue;
    findings.push({
      file,
      line: 1,
      rule: ban,
      message: 'no longer needs its exception in tools/tidy/rules.ts',
    });
  }
  return findings;
}
