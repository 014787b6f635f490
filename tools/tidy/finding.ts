// A finding of tidy: a place, the rule that it breaks, and what to do about it.

export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly rule: string;
  readonly message: string;
}

export function finding(file: string, line: number, rule: string, message: string): Finding {
  return { file, line, rule, message };
}

/** One line that an editor can jump to. */
export function describeFinding({ file, line, rule, message }: Finding): string {
  return `${file}:${line} [${rule}] ${message}`;
}
