// A button that opens a page of the docs in another tab.
import type { ReactNode } from 'react';
import { useSession } from '../api/session.ts';
import { buttonClass } from '../parts/button.tsx';

interface DocsButtonProps {
  /** The path of the page, after the address of the docs. */
  readonly page: string;
  readonly children: ReactNode;
}

export function DocsButton({ page, children }: DocsButtonProps) {
  const { data: session } = useSession();
  if (session === undefined) return null;
  return (
    <a href={`${session.docs_url}/${page}`} target="_blank" rel="noreferrer" className={buttonClass('plain')}>
      {children}
    </a>
  );
}
