// The errors that the fields of a form show. The form shows the rest, because a refusal may name a field that is not drawn.
import { createContext, useContext, useLayoutEffect } from 'react';

/** Reports a shown message to the form. Returns the function that takes the report back. */
type Show = (message: string) => () => void;

const ShowError = createContext<Show | null>(null);

/** Around the fields of a form. */
export const ShownErrors = ShowError.Provider;

/** Called by a field with the error that it shows. */
export function useShownError(error: string | null | undefined): void {
  const show = useContext(ShowError);
  // A layout effect runs before the page is painted. Otherwise the form would show the message too for a moment.
  useLayoutEffect(() => (error && show !== null ? show(error) : undefined), [error, show]);
}
