// The envelope of every answer: code, msg, data.
import Type from 'typebox';
import type { TSchema } from 'typebox';
import { codes, type RefusalCode } from './codes.ts';
import { strictObject } from './fields/strict-object.ts';

/** The envelope of an answer, in the order of its fields. `data` is an empty object in a refusal. */
export interface Envelope<Data> {
  readonly code: number;
  readonly msg: string;
  readonly data: Data;
}

/** The envelope of a successful answer. */
export function successEnvelope<Data>(data: Data): Envelope<Data> {
  return { code: 0, msg: 'success', data };
}

/** The envelope of a refusal; `msg` is English and names the field when there is one. */
export function refusalEnvelope(code: RefusalCode, msg: string): Envelope<Record<string, never>> {
  return { code, msg, data: {} };
}

/** Schema of a successful answer that carries `data`. */
export function successSchema(data: TSchema) {
  return strictObject({
    code: Type.Integer({ const: 0, description: 'Business code; 0 means success.' }),
    msg: Type.String({ description: 'Message.' }),
    data,
  });
}

/** Schema of a refusal: any code except 0. */
export const refusalSchema = strictObject({
  code: Type.Enum(
    codes.map((entry) => entry.code).filter((code) => code !== 0),
    { type: 'integer', description: 'Business code that says why.' },
  ),
  msg: Type.String({ description: 'What is wrong, in English; names the field when there is one.' }),
  data: Type.Object({}, { description: 'An empty object.', additionalProperties: false }),
});
