// Which versions of PostgreSQL Ducat runs on, see docs/operate/install.md.

const OLDEST_MAJOR = 15;

/** Why a server is too old, or null; `number` is its server_version_num, such as 150004. */
export function versionTrouble(number: number): string | null {
  const major = Math.floor(number / 10_000);
  if (major >= OLDEST_MAJOR) return null;
  return `the database is PostgreSQL ${major}, and Ducat needs ${OLDEST_MAJOR} or newer`;
}
