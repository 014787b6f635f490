// The language of the dashboard: chosen for this browser and kept in it, else the first of the browser's that is spoken.
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

/** Before anything is drawn. Where its words cannot be fetched, English is spoken. */
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

/** The page loads anew: every word on it changes. */
export function chooseLanguage(language: Language): void {
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // A browser that keeps nothing goes on as it is.
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
