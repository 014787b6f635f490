// Style sheets take colours and spaces from the tokens, so that both are decided once and fit both themes.
// Left and right are written as start and end of a line (inline), so that styles also fit text from right to left.
import { type Finding, finding } from '../finding.ts';
import type { Tree } from '../tree.ts';

/** The one style sheet that defines the tokens. */
const tokens = 'apps/checkout/src/style/tokens.css';

const declaration = /(?<=[{;]\s*)([\w-]+)\s*:\s*([^;{}]+)(?=[;}])/g;
const spaced = /^(?:padding|margin|gap|row-gap|column-gap)(?:-|$)/;
/** Any length but 0 and 1px, which is the width of an edge and no space. */
const length = /(?<![\w-])-?(?!1px)[\d.]*[1-9][\d.]*(?:px|r?em)\b/;
const names = 'white|black|gr[ae]y|silver|red|green|blue|yellow|orange|purple|pink|brown|navy|teal|gold';
const colour = new RegExp(
  `#[0-9a-f]{3,8}\\b|\\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\\(|(?<![\\w-])(?:${names})(?![\\w-])`,
  'i',
);

const sided = /^(?:padding|margin|inset)$/;

export function checkStyles({ project }: Tree): readonly Finding[] {
  return [...project.files].flatMap(([path, text]) =>
    path.endsWith('.css') && path !== tokens ? findingsIn(path, text) : [],
  );
}

function findingsIn(path: string, text: string): readonly Finding[] {
  // Comments are blanked but keep their line breaks, so that lines keep their numbers.
  const bare = text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '));
  return [...bare.matchAll(declaration)].flatMap(({ 1: property = '', 2: value = '', index }) => {
    const line = bare.slice(0, index).split('\n').length;
    const say = (what: string) => [finding(path, line, 'style', `${property}: ${what}`)];
    const found = colour.exec(value) ?? (spaced.test(property) ? length.exec(value) : null);
    if (found !== null) return say(`${found[0]} is no token of ${tokens}`);
    const [, right, , left] = sided.test(property) ? partsOf(value) : [];
    return left === right || left === undefined
      ? []
      : say(`take ${property}-inline where left and right differ`);
  });
}

/** The parts of a value: "0 calc(1px + 2px) auto" has three. */
function partsOf(value: string): readonly string[] {
  return value.trim().match(/(?:[^\s()]|\((?:[^()]|\([^()]*\))*\))+/g) ?? [];
}
