// The answers to errors: java-tron's Error texts, and the few answers with another status.
import { Rejection } from '../protocol/rejection.ts';

/** An answer that is not simply JSON with status 200. */
export class HttpAnswer extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'HttpAnswer';
    this.status = status;
  }
}

/** java-tron's class names for the most common errors. They change between its releases, so no client parses them. */
export function describeError(error: unknown): string {
  if (error instanceof Rejection) {
    return `class org.tron.core.exception.ContractValidateException : ${error.reason}`;
  }
  const message = error instanceof Error ? error.message : String(error);
  const isJson = error instanceof SyntaxError;
  return `class ${isJson ? 'org.tron.json.JSONException' : 'java.lang.IllegalArgumentException'} : ${message}`;
}
