// The style sheet of the docs page: light and dark, wide and narrow, system fonts only.

export const style = `
:root { color-scheme: light dark; --paper: #fff; --ink: #1c2024; --soft: #5b6570; --line: #dfe3e8; --well: #f5f7f9; --mark: #0b63c5; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #14171a; --ink: #e6e9ec; --soft: #9aa5b1; --line: #2c333a; --well: #1c2126; --mark: #6cb2ff; }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 system-ui, sans-serif; }
a { color: var(--mark); }
.page { display: grid; grid-template-columns: 15rem minmax(0, 1fr); max-width: 76rem; margin: 0 auto; }
nav { position: sticky; top: 0; align-self: start; height: 100vh; overflow-y: auto; padding: 2rem 1rem; border-right: 1px solid var(--line); }
nav strong { display: block; margin-bottom: 1rem; font-size: 1.1rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li { margin: .35rem 0; }
nav li li { margin-left: .8rem; font-size: .9rem; }
nav a { text-decoration: none; overflow-wrap: anywhere; }
nav a:hover, nav a:focus-visible { text-decoration: underline; }
main { padding: 2rem 2.5rem 6rem; min-width: 0; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.5rem; margin: 3.5rem 0 1rem; padding-top: 1rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
h4 { font-size: .95rem; margin: 1.5rem 0 .5rem; color: var(--soft); }
.lead { font-size: 1.1rem; color: var(--soft); margin-top: 0; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { font-size: .9em; background: var(--well); border-radius: 4px; padding: .1em .3em; overflow-wrap: anywhere; }
pre { background: var(--well); border: 1px solid var(--line); border-radius: 8px; padding: 1rem; overflow-x: auto; font-size: .85rem; line-height: 1.5; }
pre code { background: none; padding: 0; font-size: inherit; overflow-wrap: normal; }
.path { font-weight: 600; font-size: 1rem; overflow-wrap: anywhere; }
.method { color: var(--mark); margin-right: .5rem; }
table { width: 100%; border-collapse: collapse; font-size: .92rem; }
th, td { text-align: left; vertical-align: top; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; }
td:first-child code { white-space: nowrap; }
td .type { color: var(--soft); font-size: .85rem; white-space: nowrap; }
.required { color: var(--mark); font-size: .8rem; margin-left: .4rem; }
@media (max-width: 50rem) {
  .page { display: block; }
  nav { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); padding: 1rem 1.25rem; }
  main { padding: 1.5rem 1.25rem 4rem; }
  table, tbody, tr, td { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  td { border: 0; padding: 0 0 .15rem; }
  tr { border-bottom: 1px solid var(--line); padding: .6rem 0; }
}
`;
