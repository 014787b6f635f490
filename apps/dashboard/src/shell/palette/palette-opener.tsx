// Opens the command palette, by a button or by its keys. Its code loads with the first use.
import { lazy, Suspense, useEffect, useState } from 'react';
import { isFreeKey } from '../free-key.ts';

const Palette = lazy(() =>
  import('./palette.tsx').then(({ Palette: component }) => ({ default: component })),
);
const openEvent = 'open-palette';

export function openPalette(): void {
  document.dispatchEvent(new Event(openEvent));
}

export function PaletteOpener() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const show = () => setOpen(true);
    const byKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey)) setOpen((was) => !was);
      else if (event.key !== '/' || !isFreeKey(event)) return;
      else if (searchOfList() === null) setOpen(true);
      else searchOfList()?.focus();
      event.preventDefault();
    };
    document.addEventListener(openEvent, show);
    document.addEventListener('keydown', byKey);
    return () => {
      document.removeEventListener(openEvent, show);
      document.removeEventListener('keydown', byKey);
    };
  }, []);
  return <Suspense>{open && <Palette onClose={() => setOpen(false)} />}</Suspense>;
}

/** The search field of a list that has one of its own; null on other pages. */
function searchOfList(): HTMLInputElement | null {
  return document.querySelector<HTMLInputElement>('main input[type="search"]');
}
