// Object schemas that allow only the fields that they list.
import Type from 'typebox';
import type { TObject, TObjectOptions, TProperties } from 'typebox';

/** An object schema with `additionalProperties: false`. */
export function strictObject<Properties extends TProperties>(
  properties: Properties,
  options: TObjectOptions = {},
): TObject<Properties> {
  return Type.Object(properties, { ...options, additionalProperties: false });
}
