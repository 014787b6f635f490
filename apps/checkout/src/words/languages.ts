// The languages of the page: code, own name, direction.

export interface Language {
  readonly code: string;
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
}

const ltr = (code: string, name: string): Language => ({ code, name, direction: 'ltr' });
const rtl = (code: string, name: string): Language => ({ code, name, direction: 'rtl' });

/** For browsers that ask for none of the others. */
export const english: Language = ltr('en', 'English');

export const languages: readonly Language[] = [
  english,
  ltr('de', 'Deutsch'),
  ltr('fr', 'Français'),
  ltr('es', 'Español'),
  ltr('pt', 'Português'),
  ltr('it', 'Italiano'),
  ltr('nl', 'Nederlands'),
  ltr('sv', 'Svenska'),
  ltr('pl', 'Polski'),
  ltr('cs', 'Čeština'),
  ltr('ro', 'Română'),
  ltr('tr', 'Türkçe'),
  ltr('el', 'Ελληνικά'),
  ltr('ru', 'Русский'),
  ltr('uk', 'Українська'),
  rtl('ar', 'العربية'),
  rtl('fa', 'فارسی'),
  ltr('hi', 'हिन्दी'),
  ltr('id', 'Bahasa Indonesia'),
  ltr('vi', 'Tiếng Việt'),
  ltr('zh', '中文'),
  ltr('zh-Hant', '繁體中文'),
  ltr('ja', '日本語'),
  ltr('ko', '한국어'),
];
