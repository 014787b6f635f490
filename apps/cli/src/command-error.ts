// An error that the person at the terminal can act on, in words for that person.

/** The message is shown as it is, without a stack; the program then ends with `exitCode`. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(message: string, options: { readonly exitCode?: number; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.exitCode = options.exitCode ?? 1;
  }
}
