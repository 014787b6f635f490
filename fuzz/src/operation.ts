// The operations of the served OpenAPI document, with all that a client needs to call them and to check answers.
import type { TSchema } from 'typebox';

/** A JSON object without further types, because a client that knows only the document has none. */
export type Json = { readonly [name: string]: unknown };

/** One path of the document. */
export interface Operation {
  readonly operationId: string;
  readonly path: string;
  /** Schema of the request's body. */
  readonly request: Json;
  readonly exampleRequest: Json;
  readonly takesEmptyBody: boolean;
  /** Schema of the whole envelope, success or refusal. */
  readonly answer: TSchema;
  /** Whether only QR code apps may call it. */
  readonly needsQrApp: boolean;
  /** Every code that the document allows in the envelope. */
  readonly codes: ReadonlySet<number>;
}

/** Reads the POST operations of an OpenAPI document. Throws an Error that names what is missing. */
export function readOperations(document: unknown): readonly Operation[] {
  const refusal = objectAt(document, 'components', 'schemas', 'Refusal');
  return Object.entries(objectAt(document, 'paths')).map(([path, item]) => {
    const operation = objectAt(item, 'post');
    const media = objectAt(operation, 'requestBody', 'content', 'application/json');
    const answer = objectAt(operation, 'responses', '200', 'content', 'application/json', 'schema');
    const [success] = listAt(answer, 'oneOf');
    return {
      operationId: String(operation['operationId']),
      path,
      request: objectAt(media, 'schema'),
      exampleRequest: objectAt(media, 'examples', 'example', 'value'),
      takesEmptyBody: objectAt(operation, 'requestBody')['required'] !== true,
      answer: { anyOf: [success, refusal] },
      needsQrApp: operation['x-app-kind'] === 'QR_CODE',
      codes: new Set(listAt(operation, 'x-codes').map(Number)),
    };
  });
}

/** The object at the end of the path. Throws where there is none. */
export function objectAt(value: unknown, ...path: readonly string[]): Json {
  const found = valueAt(value, path);
  if (!isObject(found)) throw new Error(`the document has no object at ${path.join('.')}`);
  return found;
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = valueAt(value, path);
  if (!Array.isArray(found)) throw new Error(`the document has no list at ${path.join('.')}`);
  return found;
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), value);
}
