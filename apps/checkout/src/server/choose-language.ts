// Which language a payer reads: the one they asked for, else the first of the browser's that we have, else English.
import { english, type Language, languages } from '../words/languages.ts';

const MAX_HEADER = 500;

export function chooseLanguage(asked: string, acceptLanguage: string): Language {
  const wanted = [asked, ...preferred(acceptLanguage)];
  return wanted.flatMap((code) => find(code) ?? [])[0] ?? english;
}

/** The codes of the header, the most wanted first. */
function preferred(header: string): readonly string[] {
  return header
    .slice(0, MAX_HEADER)
    .split(',')
    .map((part) => {
      const [code = '', weight = ''] = part.trim().split(';q=');
      return { code, weight: weight === '' ? 1 : Number(weight) };
    })
    .sort((a, b) => b.weight - a.weight)
    .map(({ code }) => code);
}

/** "pt-BR" is served by "pt", and "zh-TW" by what is nearest to it. */
function find(code: string): Language | null {
  const wanted = code.toLowerCase();
  const traditional = /^zh-(?:tw|hk|mo|hant)/.test(wanted) ? 'zh-hant' : wanted;
  const by = (each: string) => languages.find((language) => language.code.toLowerCase() === each);
  return by(traditional) ?? by(wanted.split('-')[0] ?? '') ?? null;
}
