// Every language says everything, with the same places for names and numbers.
import { describe, expect, it } from 'vitest';
import { en } from './en.ts';
import { type Flat, flattened } from './translated.ts';
import { languages, speak, words } from './words.ts';

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
  });
});

it('is spoken from then on, whichever file reads the words', async () => {
  expect(words.home.title).toBe('Home');
  await speak('de');
  expect(words.home.title).toBe('Start');
});
