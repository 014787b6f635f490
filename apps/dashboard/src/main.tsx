// The entry of the dashboard in the browser.
import './style/base.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { queryClient } from './api/queries.ts';
import { router } from './routes.tsx';
import { applyLanguage } from './shell/language.ts';
import { applyTheme, chosenTheme } from './shell/theme.ts';

applyTheme(chosenTheme());
await applyLanguage();
const root = document.getElementById('root');
if (root === null) throw new Error('the document has no place for the dashboard');
createRoot(root).render(
  <StrictMode>
    {/* The content security policy of the page forbids style elements. */}
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
