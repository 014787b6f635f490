// The languages of the page: code, own name, direction.

export interface Language {
  readonly code: string;
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
}

const ltr = (code: string, name: string): Language => ({ code, name, direction: 'ltr' });
const rtl = (code: string, name: string): Language => ({ code, name, direction: 'rtl' });

/** What whoever reads none of the others gets. */
export const english: Language = ltr('en', 'English');

export const languages: readonly Language[] = [english, ltr('de', 'Deutsch'), rtl('ar', 'العربية')];
