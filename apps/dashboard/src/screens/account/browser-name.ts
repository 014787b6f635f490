// The name by which a person knows a browser.

/** "Chrome · Windows": enough for people to know their own. */
export function browserName(agent: string): string {
  const find = (names: readonly (readonly [pattern: RegExp, name: string])[]) =>
    names.find(([pattern]) => pattern.test(agent))?.[1];
  const browser = find([
    [/Edg\//, 'Edge'],
    [/Firefox\//, 'Firefox'],
    [/HeadlessChrome|Chrome\//, 'Chrome'],
    [/Safari\//, 'Safari'],
  ]);
  const system = find([
    [/Android/, 'Android'],
    [/iPhone|iPad/, 'iOS'],
    [/Windows/, 'Windows'],
    [/Mac OS/, 'macOS'],
    [/Linux/, 'Linux'],
  ]);
  const known = [browser, system].filter(Boolean).join(' · ');
  return known === '' ? agent : known;
}
