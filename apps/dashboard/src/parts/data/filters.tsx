// The search field and the filters of a list, as chips. Their values live in the address, so a list can be passed on.
import { Search, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { fill, words } from '../../words/words.ts';
import { classNames } from '../class-names.ts';
import styles from './filters.module.css';

export function FilterBar({ children }: { readonly children: ReactNode }) {
  return <div className={styles['bar']}>{children}</div>;
}

interface SearchFieldProps {
  readonly value: string;
  readonly label: string;
  readonly onSearch: (text: string) => void;
}

/** Searches when Enter is pressed or the field is left: a list does not flicker under a typing hand. "/" leads here. */
export function SearchField({ value, label, onSearch }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: globalThis.KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select');
      if (event.key !== '/' || isTyping || event.metaKey || event.ctrlKey) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);
  const search = () => {
    const text = input.current?.value.trim() ?? '';
    if (text !== value) onSearch(text);
  };
  return (
    <form
      role="search"
      className={styles['search']}
      onSubmit={(event) => {
        event.preventDefault();
        search();
      }}
    >
      <Search size={16} aria-hidden />
      <input
        key={value}
        ref={input}
        type="search"
        defaultValue={value}
        aria-label={label}
        placeholder={label}
        maxLength={200}
        spellCheck={false}
        onBlur={search}
      />
    </form>
  );
}

interface FilterChipProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onPick: (value: string) => void;
}

/** Empty is no filter: the chip is then dashed and asks; set, it is filled and has a cross. */
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
