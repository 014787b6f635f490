// The words that screens draw. English is the one language so far; its file is the shape of every other.
import { en } from './en.ts';

type Text<T> = { readonly [K in keyof T]: T[K] extends string ? string : Text<T[K]> };
export type Words = Text<typeof en>;

/** The one language that is always there. */
export const words: Words = en;
/** Its tag, for times and numbers. */
export const language = 'en';

/** "Order {id}" with the id of the order in its place. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
