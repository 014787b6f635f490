// Between a call that needs a fresh second factor and the dialog that asks for one.

/** Resolves to true once the person has shown the second factor, to false where they did not. */
export type StepUpAsker = () => Promise<boolean>;

let asker: StepUpAsker | null = null;
let open: Promise<boolean> | null = null;

/** Registers the dialog. Returns the function that removes it again. */
export function registerStepUpAsker(next: StepUpAsker): () => void {
  asker = next;
  return () => {
    if (asker === next) asker = null;
  };
}

/** Calls that come while the dialog is open wait for the same answer. */
export function askForStepUp(): Promise<boolean> {
  open ??= (asker?.() ?? Promise.resolve(false)).finally(() => {
    open = null;
  });
  return open;
}
