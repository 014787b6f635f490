// What the fields of a form show as wrong, so that the form says the rest: a refusal may name a field that is not drawn.
import { createContext, useContext, useLayoutEffect } from 'react';

/** Says to the form that a message is shown; gives back what takes it away again. */
type Show = (message: string) => () => void;

const ShowError = createContext<Show | null>(null);

/** Around the fields of a form. */
export const ShownErrors = ShowError.Provider;

/** For a field, with what it shows as wrong. */
export function useShownError(error: string | null | undefined): void {
  const show = useContext(ShowError);
  // Before the page is painted, or the form would say it for a moment as well.
  useLayoutEffect(() => (error && show !== null ? show(error) : undefined), [error, show]);
}
