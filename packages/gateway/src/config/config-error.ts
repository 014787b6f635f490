// The error for a wrong configuration.

/** The message names the entry and what it needs. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
