// Between a call that needs a fresh second factor and the dialog that asks for one.

/** Gives true once the person proved to be there, false where they would not. */
export type StepUpAsker = () => Promise<boolean>;

let asker: StepUpAsker | null = null;
let open: Promise<boolean> | null = null;

/** The dialog registers itself; gives what takes it away again. */
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
