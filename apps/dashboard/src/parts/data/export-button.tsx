// Saves a list as a file, and shows a message where that failed.
import { Download } from 'lucide-react';
import { useState } from 'react';
import { words } from '../../words/words.ts';
import { Button } from '../button.tsx';
import { say } from '../toasts.tsx';
import { refusalText } from './failure.tsx';

export function ExportButton({ save }: { readonly save: () => Promise<void> }) {
  const [isBusy, setBusy] = useState(false);
  const begin = () => {
    setBusy(true);
    save()
      .catch((error: unknown) => say(refusalText(error)))
      .finally(() => setBusy(false));
  };
  return (
    <Button icon={<Download size={16} aria-hidden />} busy={isBusy} onClick={begin}>
      {words.orders.export}
    </Button>
  );
}
