// The words of every language, for the server: a browser gets those of one.
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en, type Words } from './en.ts';

export const allWords: Readonly<Record<string, Words>> = { en, de, ar };
