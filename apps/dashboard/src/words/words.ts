// The words that screens draw, in the language that was chosen. English is always there; the others load when chosen.
import { en } from './en.ts';
import { type Flat, translated } from './translated.ts';

type Text<T> = { readonly [K in keyof T]: T[K] extends string ? string : Text<T[K]> };
export type Words = Text<typeof en>;

/** Each by its own name. */
export const languages = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  pt: 'Português',
  ru: 'Русский',
  tr: 'Türkçe',
  zh: '中文',
  ar: 'العربية',
} as const;
export type Language = keyof typeof languages;

/** Set once, before anything is drawn. */
export let words: Words = en;
/** Its tag, for times and numbers: with the digits and the calendar that amounts are written in everywhere. */
export let language = 'en';

type File = () => Promise<{ readonly default: Flat }>;
const files: Readonly<Record<Exclude<Language, 'en'>, File>> = {
  de: () => import('./languages/de.json', { with: { type: 'json' } }),
  es: () => import('./languages/es.json', { with: { type: 'json' } }),
  fr: () => import('./languages/fr.json', { with: { type: 'json' } }),
  pt: () => import('./languages/pt.json', { with: { type: 'json' } }),
  ru: () => import('./languages/ru.json', { with: { type: 'json' } }),
  tr: () => import('./languages/tr.json', { with: { type: 'json' } }),
  zh: () => import('./languages/zh.json', { with: { type: 'json' } }),
  ar: () => import('./languages/ar.json', { with: { type: 'json' } }),
};

/** What a language has no word for stays English. */
export async function speak(chosen: Language): Promise<void> {
  if (chosen === 'en') return;
  const { default: flat } = await files[chosen]();
  words = translated(en, flat);
  language = chosen === 'ar' ? 'ar-u-ca-gregory-nu-latn' : chosen;
}

/** What stands before and behind the place of `{name}`, for what is more than text. */
export function around(text: string, name: string): readonly [before: string, behind: string] {
  const [before = '', behind = ''] = text.split(`{${name}}`);
  return [before, behind];
}

/**
 * The form that the language has for this number: "one: {count} hour | other: {count} hours". A text without forms is right for
 * every number. Where
 * the number is written otherwise, `values` holds it.
 */
export function counted(
  text: string,
  count: number,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const forms = formsOf(text);
  const form = forms.get(new Intl.PluralRules(language).select(count)) ?? forms.get('other') ?? text;
  return fill(form, { count, ...values });
}

/** By the categories of `Intl.PluralRules`. */
export function formsOf(text: string): ReadonlyMap<string, string> {
  const forms = text.split(' | ').map((form) => /^(zero|one|two|few|many|other): (.*)$/s.exec(form));
  return new Map(forms.flatMap((form) => (form === null ? [] : [[form[1] ?? '', form[2] ?? '']])));
}

/** "Order {id}" with the id of the order in its place. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
