// HTML as a value: whatever is put into a template is escaped unless it is HTML already.

/** A piece of HTML. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | Html | readonly Html[];

/** A template whose values are escaped, except those that are HTML or lists of it. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.reduce((before, part, i) => before + render(values[i - 1] ?? '') + part));
}

/** Prose of the contract: paragraphs, `##` headings, numbered lists, fenced code, `code` and **bold**. */
export function prose(text: string): Html {
  // A fence may hold empty lines, so what is between two fences is cut out first.
  const blocks = text
    .split(/^(```[^]*?^```)$/m)
    .flatMap((part) => (part.startsWith('```') ? [part] : part.split(/\n{2,}/)));
  return new Html(
    blocks
      .filter((block) => block !== '')
      .map(proseBlock)
      .join('\n'),
  );
}

function proseBlock(block: string): string {
  if (block.startsWith('## ')) return `<h3>${inline(block.slice(3))}</h3>`;
  const lines = block.split('\n');
  if (block.startsWith('```')) return `<pre><code>${escapeHtml(lines.slice(1, -1).join('\n'))}</code></pre>`;
  if (lines.every((line) => /^\d+\. /.test(line))) {
    const items = lines.map((line) => `<li>${inline(line.replace(/^\d+\. /, ''))}</li>`);
    return `<ol>${items.join('')}</ol>`;
  }
  return `<p>${inline(lines.join(' '))}</p>`;
}

/** Every second part between back quotes is code; bold is looked for outside of it only. */
function inline(text: string): string {
  const parts = text.split('`').map((part, i) => {
    const escaped = escapeHtml(part);
    return i % 2 === 1
      ? `<code>${escaped}</code>`
      : escaped.replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>');
  });
  return parts.join('');
}

function render(value: Value): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return value.map((piece) => piece.text).join('');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
