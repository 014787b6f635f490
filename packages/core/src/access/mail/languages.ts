// The languages of mails: those of the dashboard.
import { ar } from './words/ar.ts';
import { de } from './words/de.ts';
import { en, type MailWords } from './words/en.ts';
import { es } from './words/es.ts';
import { fr } from './words/fr.ts';
import { pt } from './words/pt.ts';
import { ru } from './words/ru.ts';
import { tr } from './words/tr.ts';
import { zh } from './words/zh.ts';

export const mailLanguages = ['en', 'de', 'es', 'fr', 'pt', 'ru', 'tr', 'zh', 'ar'] as const;
export type MailLanguage = (typeof mailLanguages)[number];

export const mailWords: Readonly<Record<MailLanguage, MailWords>> = { en, de, es, fr, pt, ru, tr, zh, ar };

/** The languages that are written from right to left. */
export const rightToLeft: ReadonlySet<MailLanguage> = new Set(['ar']);

/** The first language of mails in `kept`: that of the reader, then that of the person who writes. English where none is. */
export function mailLanguageOf(kept: readonly (string | null)[]): MailLanguage {
  return kept.flatMap((one) => mailLanguages.find((each) => each === one) ?? [])[0] ?? 'en';
}
