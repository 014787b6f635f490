// Every language has the page, with whatever stands between braces in English standing there too.
import { describe, expect, it } from 'vitest';
import { allWords } from '../words/all-words.ts';
import { en } from '../words/en.ts';
import { languages } from '../words/languages.ts';
import { chooseLanguage } from './choose-language.ts';

const placesIn = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();

describe('the words', () => {
  it.each(languages.map(({ code }) => code))('of %s have every place that English has', (code) => {
    const words = allWords[code];
    expect(words).toBeDefined();
    for (const [name, text] of Object.entries(en))
      expect(placesIn(words![name as keyof typeof en]), `${code} ${name}`).toEqual(placesIn(text));
  });

  it.each([
    ['', 'xx, de-CH;q=0.8, en;q=0.9', 'en'],
    ['', 'de-CH, de;q=0.9', 'de'],
    ['ar', 'de', 'ar'],
    ['"><script>', '', 'en'],
    ['', 'zh-TW', 'zh-Hant'],
    ['', 'zh-CN', 'zh'],
    ['', 'pt-BR', 'pt'],
    ['constructor', '__proto__', 'en'],
    ['', ';q=,;;q=x,'.repeat(1_000), 'en'],
  ])('asked for %j by a browser of %j, the page is in %s', (asked, header, code) => {
    expect(chooseLanguage(asked, header).code).toBe(code);
  });
});
