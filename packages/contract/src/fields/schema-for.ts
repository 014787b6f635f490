// A schema and the type of the values that fit it, computed once, in this package.
import type { TObject, TSchema } from 'typebox';

/**
 * A schema of values of type T. Declarations of this package name T itself, so packages that import them need not compute it
 * from the schema: that took four fifths of the compiler's time. No schema has the member; it only
 * carries the type. The compiler does not compare T with the schema: `defineEndpoint`, `defineEvent` and `defineOperation` do.
 */
export type SchemaFor<T, Schema extends TSchema = TObject> = Schema & { readonly '~fits'?: T };

/** The type of the values that fit a schema. */
export type Fitting<Schema extends SchemaFor<unknown, TSchema>> = Exclude<Schema['~fits'], undefined>;
