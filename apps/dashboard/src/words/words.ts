// The words of the chosen language; read while drawing, so a language that loads later is used from then on.
import { en } from './en.ts';

type Text<T> = { readonly [K in keyof T]: T[K] extends string ? string : Text<T[K]> };
export type Words = Text<typeof en>;

/** The one language that is always there. */
export let words: Words = en;
/** Its tag, for times and numbers. */
export let language = 'en';

export function setLanguage(tag: string, loaded: Words): void {
  words = loaded;
  language = tag;
}

/** "Order {id}" with the id of the order in its place. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
