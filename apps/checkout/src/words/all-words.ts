// The words of every language, for the server: a browser gets those of one.
import { en, type Words } from './en.ts';
import { ar } from './other/ar.ts';
import { cs } from './latin/cs.ts';
import { de } from './latin/de.ts';
import { el } from './other/el.ts';
import { es } from './latin/es.ts';
import { fa } from './other/fa.ts';
import { fr } from './latin/fr.ts';
import { hi } from './other/hi.ts';
import { id } from './latin/id.ts';
import { it } from './latin/it.ts';
import { ja } from './other/ja.ts';
import { ko } from './other/ko.ts';
import { nl } from './latin/nl.ts';
import { pl } from './latin/pl.ts';
import { pt } from './latin/pt.ts';
import { ro } from './latin/ro.ts';
import { ru } from './other/ru.ts';
import { sv } from './latin/sv.ts';
import { tr } from './latin/tr.ts';
import { uk } from './other/uk.ts';
import { vi } from './latin/vi.ts';
import { zh } from './other/zh.ts';
import { zhHant } from './other/zh-hant.ts';

/** By the codes of the languages. */
export const allWords: Readonly<Record<string, Words>> = {
  en,
  de,
  fr,
  es,
  pt,
  it,
  nl,
  sv,
  pl,
  cs,
  ro,
  tr,
  el,
  ru,
  uk,
  ar,
  fa,
  hi,
  id,
  vi,
  zh,
  'zh-Hant': zhHant,
  ja,
  ko,
};
