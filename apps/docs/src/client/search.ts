// Search over the headings of all pages. The list of headings is loaded when the field is first used.
import { findHeadings } from '../samples/find-headings.ts';
import type { SearchEntry } from '../page/search-entry.ts';
import { one } from './one.ts';
import { docsAddress } from './place.ts';

export function startSearch(): void {
  const input = one(document, 'search input', HTMLInputElement);
  const found = one(document, '#found', HTMLElement);
  let entries: Promise<readonly SearchEntry[]> | null = null;
  const load = () => (entries ??= fetchEntries());
  input.addEventListener('focus', () => void load());
  input.addEventListener(
    'input',
    () => void load().then((all) => show(found, findHeadings(all, input.value), input.value)),
  );
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close(input, found);
    const isTyping = event.target instanceof Element && event.target.matches('input, textarea');
    const isShortcut = event.key === 'k' && (event.ctrlKey || event.metaKey);
    if (!isShortcut && (event.key !== '/' || isTyping)) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
  one(document, 'search', HTMLElement).addEventListener('keydown', (event) => walk(event, input, found));
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('search') === null) found.hidden = true;
  });
}

/** Loads the list of headings. The build writes the file in this shape; without the file nothing is found. */
async function fetchEntries(): Promise<readonly SearchEntry[]> {
  const response = await fetch(docsAddress('search.json'));
  return response.ok ? ((await response.json()) as readonly SearchEntry[]) : [];
}

function show(found: HTMLElement, entries: readonly SearchEntry[], asked: string): void {
  found.hidden = asked.trim() === '';
  const links = entries.map(([heading, page, path]) => {
    const link = document.createElement('a');
    const [file = '', fragment] = path.split('#');
    link.href = `${docsAddress(file).href}${fragment === undefined ? '' : `#${fragment}`}`;
    const small = document.createElement('small');
    small.textContent = page;
    link.append(heading, small);
    link.addEventListener('click', () => {
      found.hidden = true;
    });
    return link;
  });
  const none = document.createElement('p');
  none.textContent = 'No heading has these words.';
  found.replaceChildren(...(links.length === 0 ? [none] : links));
}

/** Arrow keys move through the links that were found; Enter opens the first one. */
function walk(event: KeyboardEvent, input: HTMLInputElement, found: HTMLElement): void {
  const links = [...found.querySelectorAll('a')];
  if (event.key === 'Enter' && event.target === input) links[0]?.click();
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  event.preventDefault();
  const at =
    links.findIndex((link) => link === document.activeElement) + (event.key === 'ArrowDown' ? 1 : -1);
  (links[at] ?? input).focus();
}

function close(input: HTMLInputElement, found: HTMLElement): void {
  if (found.hidden) return;
  found.hidden = true;
  input.focus();
}
