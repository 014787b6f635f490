// The languages of the dashboard, each by its own name.
import { Check } from 'lucide-react';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { type Language, languages, words } from '../words/words.ts';
import { chooseLanguage, chosenLanguage } from './language.ts';
import styles from './language-dialog.module.css';

export function LanguageDialog({ onClose }: { readonly onClose: () => void }) {
  const current = chosenLanguage();
  // The keys of the record are its languages.
  const all = Object.entries(languages) as [Language, string][];
  return (
    <Dialog title={words.shell.language} open onClose={onClose}>
      <ul className={styles['list']}>
        {all.map(([language, name]) => (
          <li key={language}>
            <Button
              wide
              lang={language}
              aria-pressed={language === current}
              {...(language === current ? { icon: <Check size={16} aria-hidden /> } : {})}
              onClick={() => chooseLanguage(language)}
            >
              {name}
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
