// Remembers which form of samples a reader chose, for the next page.

const KEY = 'ducat-docs-sample';

export function rememberLanguage(): void {
  const choices = [...document.querySelectorAll<HTMLInputElement>('input[name="sample"]')];
  const kept = read();
  for (const choice of choices) {
    if (choice.value === kept) choice.checked = true;
    choice.addEventListener('change', () => write(choice.value));
  }
}

/** The remembered form; null where there is none, or where the browser refuses storage. */
function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function write(value: string): void {
  try {
    localStorage.setItem(KEY, value);
  } catch {
    // The browser refuses storage, so the next page begins with curl.
  }
}
