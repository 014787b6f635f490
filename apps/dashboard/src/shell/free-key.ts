// Keys that mean something to the whole page.

/** Whether a key was pressed by itself and outside of what takes letters: fields, lists and dialogs. */
export function isFreeKey({ target, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (altKey || ctrlKey || metaKey) return false;
  return (
    !(target instanceof Element) ||
    target.closest('input, textarea, select, [role="dialog"], [role="menu"]') === null
  );
}
