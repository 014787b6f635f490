// How errors are answered: java-tron's Error texts, and the few answers that have another status.
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

/** The class names are java-tron's for the commonest cases; they change between its releases, so nobody reads them. */
export function describeError(error: unknown): string {
  if (error instanceof Rejection) {
    return `class org.tron.core.exception.ContractValidateException : ${error.reason}`;
  }
  const message = error instanceof Error ? error.message : String(error);
  const isJson = error instanceof SyntaxError;
  return `class ${isJson ? 'org.tron.json.JSONException' : 'java.lang.IllegalArgumentException'} : ${message}`;
}
