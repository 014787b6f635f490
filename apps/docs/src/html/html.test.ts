// What is put into a template is escaped, unless it is HTML already.
import { expect, it } from 'vitest';
import { html } from './html.ts';

it('escapes what is put in, but not HTML', () => {
  expect(html`<b>${'<i>"&\''}</b>${html`<u>`}${[html`1`, html`2`]}${3}`.text).toBe(
    '<b>&#60;i&#62;&#34;&#38;&#39;</b><u>123',
  );
});
