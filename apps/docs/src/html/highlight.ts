// Colours code at build time, so that readers load no highlighter.
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import http from 'highlight.js/lib/languages/http';
import ini from 'highlight.js/lib/languages/ini';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import xml from 'highlight.js/lib/languages/xml';
import { escapeHtml, Html } from './html.ts';

const languages = { bash, http, ini, javascript, json, php, python, sql, xml };
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);

/** Colours code in a known language; other code stays as it is. Short names such as "sh" and "js" are known, too. */
function highlight(code: string, language: string): Html {
  if (hljs.getLanguage(language) === undefined) return new Html(escapeHtml(code));
  return new Html(hljs.highlight(code, { language }).value);
}

/** A block of code that can be scrolled by keyboard. */
export function codeBlock(code: string, language: string): Html {
  const shown = highlight(code, language).text;
  // The markup has no line breaks of its own, because <pre> would show them.
  return new Html(`<pre tabindex="0" data-language="${escapeHtml(language)}"><code>${shown}</code></pre>`);
}
