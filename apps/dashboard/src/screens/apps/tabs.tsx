// Sections of a page, of which one is shown. The address names that section, so that a link to it can be passed on.
import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import { useFilters } from '../../api/use-filters.ts';
import styles from './tabs.module.css';

interface Tab {
  readonly key: string;
  readonly title: string;
  readonly content: ReactNode;
}

interface TabsProps {
  readonly label: string;
  /** The first is shown where the address names none. */
  readonly tabs: readonly Tab[];
}

export function Tabs({ label, tabs }: TabsProps) {
  const filters = useFilters();
  const first = tabs[0]?.key ?? '';
  const wanted = filters.get('tab');
  const shown = tabs.some(({ key }) => key === wanted) ? wanted : first;
  return (
    <Base.Root
      value={shown}
      onValueChange={(next) => filters.set({ tab: next === first ? '' : String(next) })}
    >
      <Base.List className={styles['list']} aria-label={label} activateOnFocus={false}>
        {tabs.map(({ key, title }) => (
          <Base.Tab key={key} value={key} className={styles['tab']}>
            {title}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map(({ key, content }) => (
        <Base.Panel key={key} value={key} className={styles['panel']}>
          {content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
