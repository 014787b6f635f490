// Opens the command palette, by a button or by its key; its code loads with the first use.
import { lazy, Suspense, useEffect, useState } from 'react';

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
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setOpen((was) => !was);
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
