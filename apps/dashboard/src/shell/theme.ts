// Light, dark, or as the system has it: chosen for this browser and kept in it.

export type Theme = 'system' | 'light' | 'dark';
const KEY = 'theme';

export function chosenTheme(): Theme {
  const kept = read();
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // A browser that keeps nothing still shows the theme until it is closed.
  }
}

function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
