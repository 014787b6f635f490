// The language of the dashboard: the one kept in this browser, else the first of the browser's that the dashboard has.
import { type Language, languages, speak } from '../words/words.ts';

const KEY = 'language';

export function chosenLanguage(): Language {
  const wanted = [kept() ?? '', ...navigator.languages].map((tag) => tag.toLowerCase().split('-')[0]);
  const known = Object.keys(languages).filter(isLanguage);
  return wanted.flatMap((tag) => known.find((each) => each === tag) ?? [])[0] ?? 'en';
}

function isLanguage(tag: string): tag is Language {
  return tag in languages;
}

/** Called before anything is drawn. Where the words of the language cannot be fetched, the page is in English. */
export async function applyLanguage(): Promise<void> {
  const language = chosenLanguage();
  await speak(language).then(
    () => {
      document.documentElement.lang = language;
      document.documentElement.dir = language === 'ar' ? 'rtl' : 'ltr';
    },
    () => undefined,
  );
}

/** Loads the page anew, because every word on it changes. */
export function chooseLanguage(language: Language): void {
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // A browser without storage stays in its language.
  }
  window.location.reload();
}

function kept(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
