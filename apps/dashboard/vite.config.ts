// Builds what browsers load: one document, and scripts and styles that are fetched with the screen that needs them.
import { defineConfig, type Plugin } from 'vite';

/** The tokens follow the system; here they also follow the choice that a person made for this browser. */
const themeByChoice: Plugin = {
  name: 'theme-by-choice',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('/tokens.css')) return null;
    const dark = /@media \(prefers-color-scheme: dark\) \{\s*:root \{([^}]*)\}\s*\}/;
    const values = dark.exec(code)?.[1];
    if (values === undefined) throw new Error('tokens.css has no dark values where they are looked for');
    const system = `@media (prefers-color-scheme: dark) { :root:not([data-theme='light']) {${values}} }`;
    return code.replace(dark, `${system}\n:root[data-theme='dark'] {${values}}`);
  },
};

/** The typeface is asked for before the style is read, so that the first screen is already drawn in it. */
const typefaceFirst: Plugin = {
  name: 'typeface-first',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const file = Object.keys(bundle).find((name) => /inter-latin-wght-normal.*\.woff2$/.test(name));
      if (file === undefined) throw new Error('the build has no file of the typeface');
      const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `/${file}` };
      return [{ tag: 'link', attrs, injectTo: 'head-prepend' }];
    },
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  logLevel: 'warn',
  plugins: [themeByChoice, typefaceFirst],
  oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
  build: {
    outDir: 'dist/client',
    assetsDir: 'assets',
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      onLog(level, log, report) {
        // Components mark what runs in browsers; here everything does.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
});
