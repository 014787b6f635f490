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

/** Code in a language that is known here, coloured; any other as it stands. Short names such as "sh" and "js" are known. */
function highlight(code: string, language: string): Html {
  if (hljs.getLanguage(language) === undefined) return new Html(escapeHtml(code));
  return new Html(hljs.highlight(code, { language }).value);
}

/** A block of code that can be scrolled by keyboard. */
export function codeBlock(code: string, language: string): Html {
  const shown = highlight(code, language).text;
  // Without line breaks of its own: they would be shown.
  return new Html(`<pre tabindex="0" data-language="${escapeHtml(language)}"><code>${shown}</code></pre>`);
}
