// An identifier with a button that copies all of it, however short it is shown.
import { Check, Copy, ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { inGroups, shorten } from '../format/groups.ts';
import { fill, words } from '../words/words.ts';
import { classNames } from './class-names.ts';
import styles from './copyable.module.css';

interface CopyableProps {
  readonly text: string;
  /** The name of the identifier, for screen readers. */
  readonly label: string;
  readonly form?: 'whole' | 'short' | 'groups';
  /** The part of the identifier that the short form shows. */
  readonly part?: string;
  /** The page of a block explorer about it; without one there is no link. */
  readonly explorer?: string | null;
}

export function Copyable({ text, label, form = 'whole', part = text, explorer = null }: CopyableProps) {
  const shown = form === 'short' ? shorten(part) : form === 'groups' ? inGroups(text).join(' ') : text;
  return (
    <span className={styles['copyable']}>
      <bdi
        title={form === 'short' ? text : undefined}
        className={classNames(styles['text'], form !== 'short' && styles['whole'])}
      >
        {shown}
      </bdi>
      <CopyButton text={text} label={label} />
      <ExplorerLink to={explorer} label={label} />
    </span>
  );
}

/** Opens a new tab. The link sends no referrer, so the explorer learns of no page of the dashboard. */
export function ExplorerLink({ to, label }: { readonly to: string | null; readonly label: string }) {
  if (to === null) return null;
  return (
    <a
      href={to}
      target="_blank"
      rel="noreferrer"
      className={styles['copy']}
      aria-label={fill(words.explorer.open, { what: label })}
      title={fill(words.explorer.open, { what: label })}
      onClick={(event) => event.stopPropagation()}
    >
      <ExternalLink size={14} aria-hidden />
    </a>
  );
}

/** A line for a terminal, from left to right in every language. */
export function Command({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div className={styles['command']} dir="ltr">
      <Copyable text={text} label={label} />
    </div>
  );
}

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [copied, setCopied] = useState(false);
  const copy = () => {
    void navigator.clipboard?.writeText(text).then(() => {
      setCopied(true);
      setTimeout(() => setCopied(false), 1_600);
    });
  };
  return (
    <button
      type="button"
      className={classNames(styles['copy'], copied && styles['done'])}
      aria-label={copied ? fill(words.copied, { what: label }) : fill(words.copy, { what: label })}
      onClick={(event) => {
        event.stopPropagation();
        event.preventDefault();
        copy();
      }}
    >
      {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
    </button>
  );
}
