// Renders a Markdown file as a page: headings with anchors, links that stay on the site, coloured code.
import { Marked, type Renderer, type Tokens } from 'marked';
import { codeBlock } from '../html/highlight.ts';
import { escapeHtml, Html } from '../html/html.ts';
import { hrefOf } from '../page/addresses.ts';
import type { Heading } from '../page/page.ts';
import { targetOf } from './links.ts';
import { createSlugs } from './slug.ts';

export interface MarkdownPlace {
  /** The file's path from the root of the repository. Its links are relative to it. */
  readonly source: string;
  /** The page's path on the site. */
  readonly path: string;
  /** The path on the site of every source that the site has. */
  readonly pathOf: ReadonlyMap<string, string>;
}

export interface Rendered {
  readonly html: Html;
  /** The first heading of the first level. */
  readonly title: string;
  /** The text of the first paragraph. */
  readonly lead: string;
  readonly headings: readonly Heading[];
  readonly elsewhere: readonly string[];
}

/** A first cell that is the code of a refusal. Its row gets an anchor, because other pages link to it. */
const CODE_ROW = /^<td[^>]*>(\d{5})<\/td>/;
const MAX_LEAD = 200;
const LONG_CELL = 60;

export function renderMarkdown(text: string, place: MarkdownPlace): Rendered {
  const headings: Heading[] = [];
  const elsewhere = new Set<string>();
  const slugOf = createSlugs();
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth }) {
        const shown = this.parser.parseInline(tokens);
        const plain = plainText(shown);
        const id = slugOf(plain);
        headings.push({ level: depth, id, text: plain });
        if (depth === 1) return `<h1 id="${id}">${shown}</h1>\n`;
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${shown}</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        return link(href, this.parser.parseInline(tokens), place, elsewhere);
      },
      image({ href, text: alt }) {
        const target = targetOf(href, place.source, place.pathOf);
        const src = target.kind === 'site' ? hrefOf(place.path, target.path) : href;
        return `<img src="${escapeHtml(src)}" alt="${escapeHtml(alt)}" loading="lazy" decoding="async">`;
      },
      // A box to tick on paper. On the screen it is no form field.
      checkbox: () => '<span class="box" aria-hidden="true"></span>',
      code: ({ text: code, lang }) => `${codeBlock(code, lang ?? '').text}\n`,
      table,
      tablerow({ text: cells }) {
        const code = CODE_ROW.exec(cells)?.[1];
        return `<tr${code === undefined ? '' : ` id="code-${code}"`}>${cells}</tr>\n`;
      },
    },
  });
  const shown = marked.parse(text, { async: false });
  const lead = plainText(/<p>([^]*?)<\/p>/.exec(shown)?.[1] ?? '').replace(/\s+/g, ' ');
  return {
    html: new Html(shown),
    title: headings.find(({ level }) => level === 1)?.text ?? '',
    lead: lead.length > MAX_LEAD ? `${lead.slice(0, lead.lastIndexOf(' ', MAX_LEAD))} …` : lead,
    headings,
    elsewhere: [...elsewhere],
  };
}

function link(href: string, shown: string, place: MarkdownPlace, elsewhere: Set<string>): string {
  const target = targetOf(href, place.source, place.pathOf);
  if (target.kind === 'web') return `<a href="${escapeHtml(target.url)}" rel="noreferrer">${shown}</a>`;
  if (target.kind === 'elsewhere') {
    elsewhere.add(target.source);
    return `<span class="elsewhere" title="${escapeHtml(target.source)}">${shown}</span>`;
  }
  const { path, fragment } = target;
  const page = path === place.path && fragment !== '' ? '' : hrefOf(place.path, path);
  return `<a href="${escapeHtml(page)}${fragment === '' ? '' : `#${escapeHtml(fragment)}`}">${shown}</a>`;
}

/** A table in a box of its own, so that a wide table scrolls, also by keyboard, and the page does not. */
function table(this: { readonly parser: Renderer['parser'] }, { header, rows }: Tokens.Table): string {
  const renderer = this.parser.renderer;
  // On a phone, columns with long texts keep a readable width.
  const isLong = header.map((_head, i) => rows.some((cells) => (cells[i]?.text.length ?? 0) > LONG_CELL));
  const row = (cells: readonly Tokens.TableCell[]) => {
    const shown = cells.map((cell, i) => {
      const html = renderer.tablecell(cell);
      return isLong[i] === true ? html.replace(/^<(t[dh])/, '<$1 class="long"') : html;
    });
    return renderer.tablerow({ text: shown.join('') });
  };
  const isBare = header.every(({ text }) => text === '');
  // An empty head is left out, and empty cells of a head become plain cells, so that screen readers announce none.
  const head = isBare ? '' : `<thead>${row(header).replaceAll(/<th([^>]*)><\/th>/g, '<td$1></td>')}</thead>`;
  return `<div class="table" tabindex="0"><table>${head}<tbody>${rows.map(row).join('')}</tbody></table></div>\n`;
}

/** The text of a piece of HTML, without its tags. */
function plainText(shown: string): string {
  return shown
    .replace(/<[^>]+>/g, '')
    .replace(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)))
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
