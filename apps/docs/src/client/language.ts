// The form of samples that a reader chose once is chosen on the next page too.

const KEY = 'ducat-docs-sample';

export function rememberLanguage(): void {
  const choices = [...document.querySelectorAll<HTMLInputElement>('input[name="sample"]')];
  const kept = read();
  for (const choice of choices) {
    if (choice.value === kept) choice.checked = true;
    choice.addEventListener('change', () => write(choice.value));
  }
}

/** A browser may refuse to keep anything. */
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
    // Then the next page begins with curl.
  }
}
