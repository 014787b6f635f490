// Every language says everything, with the same places for names and numbers.
import { describe, expect, it } from 'vitest';
import { en } from './en.ts';
import { type Flat, flattened } from './translated.ts';
import { counted, formsOf, language as spoken, languages, speak, words } from './words.ts';

const english = flattened(en);
const others = Object.keys(languages).filter((language) => language !== 'en');
const places = (text: string) => [...new Set(text.match(/\{\w+\}/g))].toSorted();

describe.each(others)('%s', (language) => {
  it('has every word, and each with the places that it has in English', async () => {
    const { default: flat }: { readonly default: Flat } = await import(`./languages/${language}.json`, {
      with: { type: 'json' },
    });
    expect(Object.keys(english).filter((key) => flat[key] === undefined)).toEqual([]);
    const different = Object.keys(english).filter(
      (key) => places(flat[key] ?? '').join() !== places(english[key] ?? '').join(),
    );
    expect(different).toEqual([]);
    const known = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const unfit = Object.entries(flat).flatMap(([key, text]) => {
      const forms = [...formsOf(text).keys()];
      const isRight = forms.includes('other') && forms.every((form) => known.some((each) => each === form));
      return forms.length === 0 || isRight ? [] : [key];
    });
    expect(unfit).toEqual([]);
  });
});

it('is spoken from then on, whichever file reads the words', async () => {
  expect(words.home.title).toBe('Home');
  await speak('de');
  expect(words.home.title).toBe('Start');
});

it('counts in the forms of its language, and as it is where there is one text for every number', async () => {
  const both = 'one: {count} hour of {day} | other: {count} hours of {day}';
  expect([0, 1, 2, 21].map((count) => counted(both, count, { day: 'May' }))).toEqual([
    '0 hours of May',
    '1 hour of May',
    '2 hours of May',
    '21 hours of May',
  ]);
  expect(counted('Hours: {count}', 1)).toBe('Hours: 1');
  await speak('ru');
  expect(spoken).toBe('ru');
  expect([1, 12, 21].map((n) => counted(words.timeline.confirmed, n, { n: 1 }))).toEqual([
    '1 из 1 подтверждения',
    '1 из 12 подтверждений',
    '1 из 21 подтверждения',
  ]);
  await speak('ar');
  expect([1, 2, 3, 24].map((n) => counted(words.apps.graceHours, n))).toEqual([
    'ساعة واحدة',
    'ساعتان',
    '3 ساعات',
    '24 ساعة',
  ]);
  // What other files of this process find.
  await speak('de');
});
