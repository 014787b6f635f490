// The HTML documents around the components of the page.
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { PageData, PageModel } from '../page/model.ts';
import { Page } from '../page/page.tsx';
import type { Words } from '../words/en.ts';
import type { Language } from '../words/languages.ts';
import { fontsOf, readAssets } from './assets.ts';

const built = readAssets();

/** Without scripts, a page that waits for something reloads itself after this time. */
const REFRESH_S = 20;

interface Dressed {
  readonly language: Language;
  readonly accent: string | null;
  readonly nonce: string;
}

export function pageDocument(data: PageData, { language, accent, nonce }: Dressed): string {
  const { base, view } = data;
  const isWaiting = !['choose', 'paid', 'expired'].includes(view.state);
  const head = (
    <>
      {accent === null ? null : <link rel="stylesheet" href={`${base}/accent/${accent.slice(1)}.css`} />}
      {isWaiting ? (
        <noscript>
          <meta http-equiv="refresh" content={String(REFRESH_S)} />
        </noscript>
      ) : null}
      {built === null ? null : <script type="module" src={`${base}/assets/${built.script}`} nonce={nonce} />}
    </>
  );
  const title = `${view.merchant} · ${view.amount} ${view.currency.token}`;
  return documentOf({ base, language, title, head }, <Root data={data} />);
}

interface Notice {
  readonly base: string;
  readonly language: Language;
  readonly words: Words;
}

export function noticeDocument(kind: 'unknown' | 'trouble', { base, language, words }: Notice): string {
  const [title, line] =
    kind === 'unknown'
      ? [words.unknown_title, words.unknown_line]
      : [words.trouble_title, words.trouble_line];
  return documentOf(
    { base, language, title, head: null },
    <main class="card notice">
      <div class="act">
        <h1>{title}</h1>
        <p>{line}</p>
      </div>
    </main>,
  );
}

function Root({ data }: { readonly data: PageData }) {
  return (
    <>
      <div id="page">
        <Page model={stillModel(data)} actions={null} />
      </div>
      {/* Data, not a script. Every "<" is escaped, so that the data cannot end the element. */}
      <script
        type="application/json"
        id="data"
        dangerouslySetInnerHTML={{ __html: JSON.stringify(data).replaceAll('<', '\\u003c') }}
      />
    </>
  );
}

/** The model that the script begins with too, so that it finds the page as the server wrote it. */
function stillModel(data: PageData): PageModel {
  return {
    ...data,
    isLive: false,
    isOffline: false,
    isFramed: false,
    wallets: [],
    note: '',
    leavesIn: null,
    timeZone: 'UTC',
  };
}

interface Shell {
  readonly base: string;
  readonly language: Language;
  readonly title: string;
  readonly head: ComponentChildren;
}

function documentOf({ base, language, title, head }: Shell, body: ComponentChildren): string {
  const asset = (file: string) => `${base}/assets/${file}`;
  const html = renderToString(
    <html lang={language.code} dir={language.direction}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        {(built === null ? [] : fontsOf(built, language.code)).map((file) => (
          <link
            key={file}
            rel="preload"
            href={asset(file)}
            as="font"
            type="font/woff2"
            crossorigin="anonymous"
          />
        ))}
        {built === null ? null : <link rel="stylesheet" href={asset(built.style)} />}
        {head}
      </head>
      <body>{body}</body>
    </html>,
  );
  return `<!doctype html>${html}`;
}
