// Reads the system's code (ENOENT, ECONNREFUSED) from a caught value.

/** The string `code` of an error, or undefined when it carries none. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
