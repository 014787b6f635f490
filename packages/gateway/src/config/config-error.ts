// What is wrong with the configuration, in words that name the entry.

/** Thrown at start only; the message names the entry and what it needs. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
