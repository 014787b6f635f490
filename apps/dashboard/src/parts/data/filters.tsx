// The search and the filters of a list, as chips. Their values live in the address, so a list can be passed on.
import { Search, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { fill, words } from '../../words/words.ts';
import { classNames } from '../class-names.ts';
import styles from './filters.module.css';

interface FilterBarProps {
  readonly search?: ReactNode;
  readonly children: ReactNode;
}

export function FilterBar({ search, children }: FilterBarProps) {
  return (
    <div className={styles['bar']}>
      {search}
      <div className={styles['chips']}>{children}</div>
    </div>
  );
}

interface SearchButtonProps {
  readonly label: string;
  readonly onClick: () => void;
}

/** Looks like the field that it opens. */
export function SearchButton({ label, onClick }: SearchButtonProps) {
  return (
    <button type="button" className={styles['search']} onClick={onClick}>
      <Search size={16} aria-hidden />
      {label}
    </button>
  );
}

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onSearch: (text: string) => void;
}

/** Searches with Enter. An empty text ends the search. */
export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  return (
    <form
      role="search"
      className={styles['search']}
      onSubmit={(event) => {
        event.preventDefault();
        const text = new FormData(event.currentTarget).get('text');
        onSearch(typeof text === 'string' ? text.trim() : '');
      }}
    >
      <Search size={16} aria-hidden />
      <input
        key={value}
        type="search"
        name="text"
        maxLength={128}
        aria-label={label}
        placeholder={label}
        defaultValue={value}
        autoComplete="off"
        spellCheck={false}
      />
    </form>
  );
}

interface FindFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onFind: (text: string) => void;
}

/** Searches what the page has already, while a person types. It may stand in a form, because Enter does not submit it. */
export function FindField({ label, value, onFind }: FindFieldProps) {
  return (
    <span className={styles['search']}>
      <Search size={16} aria-hidden />
      <input
        type="search"
        maxLength={64}
        aria-label={label}
        placeholder={label}
        value={value}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onFind(target.value)}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
    </span>
  );
}

interface FilterChipProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onPick: (value: string) => void;
}

/** "" is no filter: the chip is then dashed. A chip with a value is filled and has a cross. */
export function FilterChip({ label, value, options, onPick }: FilterChipProps) {
  return (
    <span className={classNames(styles['chip'], value === '' ? styles['empty'] : styles['set'])}>
      <select aria-label={label} value={value} onChange={(event) => onPick(event.target.value)}>
        <option value="">+ {label}</option>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {label}: {text}
          </option>
        ))}
      </select>
      {value !== '' && (
        <button
          type="button"
          aria-label={fill(words.removeFilter, { filter: label })}
          onClick={() => onPick('')}
        >
          <X size={14} aria-hidden />
        </button>
      )}
    </span>
  );
}
