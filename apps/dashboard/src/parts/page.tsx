// The frame of a screen: its title, what can be done here, and cards of facts below.
import { ChevronLeft } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router';
import { words } from '../words/words.ts';
import { classNames } from './class-names.ts';
import styles from './page.module.css';

interface PageProps {
  readonly title: string;
  /** The title as it is drawn, where it is more than words. */
  readonly heading?: ReactNode;
  readonly under?: ReactNode;
  /** A link to the list that the page belongs to. */
  readonly back?: ReactNode;
  readonly actions?: ReactNode;
  /** A form, whose fields are read better when they are not as wide as a list. */
  readonly narrow?: boolean;
  readonly children: ReactNode;
}

export function Page({ title, heading, under, back, actions, narrow = false, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · ${words.product}`;
  }, [title]);
  return (
    <div className={classNames(styles['page'], narrow && styles['narrow'])}>
      <header className={styles['head']}>
        <div className={styles['words']}>
          {back}
          <div className={styles['line']}>{heading ?? <h1>{title}</h1>}</div>
        </div>
        {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
        {under !== undefined && <p className={styles['under']}>{under}</p>}
      </header>
      {children}
    </div>
  );
}

interface BackLinkProps {
  readonly to: string;
  readonly children: ReactNode;
}

/** A link to the list that a page belongs to. */
export function BackLink({ to, children }: BackLinkProps) {
  return (
    <Link to={to} className={styles['back']}>
      <ChevronLeft size={14} aria-hidden /> {children}
    </Link>
  );
}

interface CardProps {
  readonly title?: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
  /** The content brings its own edges, as a table does. */
  readonly bare?: boolean;
}

export function Card({ title, action, children, bare = false }: CardProps) {
  return (
    <section className={styles['card']} aria-label={title}>
      {title !== undefined && (
        <div className={styles['card-head']}>
          <h2>{title}</h2>
          {action}
        </div>
      )}
      {bare ? children : <div className={styles['card-body']}>{children}</div>}
    </section>
  );
}

/** What happened at the left, facts at the right; below each other where it is narrow. */
export function Split({ children }: { readonly children: ReactNode }) {
  return <div className={styles['split']}>{children}</div>;
}

/** Blocks below each other, as far apart as those beside each other. */
export function Stack({ children }: { readonly children: ReactNode }) {
  return <div className={styles['stack']}>{children}</div>;
}

/** Cards beside each other as far as there is room. */
export function Columns({ children }: { readonly children: ReactNode }) {
  return <div className={styles['columns']}>{children}</div>;
}

interface FactsProps {
  readonly children: ReactNode;
  /** Short figures at the right edge, their names at the left. */
  readonly figures?: boolean;
}

export function Facts({ children, figures = false }: FactsProps) {
  return <dl className={classNames(styles['facts'], figures && styles['figures'])}>{children}</dl>;
}

interface FactProps {
  readonly name: string;
  readonly children: ReactNode;
  /** Puts the name above a long value. */
  readonly stacked?: boolean;
}

export function Fact({ name, children, stacked = false }: FactProps) {
  return (
    <div className={classNames(styles['fact'], stacked && styles['stacked'])}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
