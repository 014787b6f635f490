// How files open, what they are called, and what must not be said in them.
import { posix } from 'node:path';
import type { Finding } from '../finding.ts';
import { isSource, type Project } from '../project.ts';
import { emptyFileNames, emptyNames, entryFiles } from '../rules.ts';
import { child, identifierName, type Source, type SyntaxNode } from '../source.ts';

/** Header lines, names, suppressed checks, marks of unfinished work, barrels. */
export function checkWording(project: Project, sources: readonly Source[]): readonly Finding[] {
  const findings: Finding[] = [];
  for (const source of sources) {
    findings.push(
      ...headerFindings(source),
      ...suppressionFindings(source),
      ...declaredNameFindings(source),
      ...unfinishedInSource(source),
    );
    if (isBarrel(source)) {
      findings.push({
        file: source.path,
        line: 1,
        rule: 'barrel',
        message: 'only exports what others hold; import from them',
      });
    }
  }
  for (const [path, text] of project.files)
    findings.push(...fileNameFindings(path), ...unfinishedInText(path, text));
  return findings;
}

function headerFindings({ path, text }: Source): readonly Finding[] {
  const [first = '', second = ''] = text.split('\n', 2);
  const header = first.startsWith('#!') ? second : first;
  // The few lines in bin only start the program.
  if (/^\/\/ \S+ .*\S/.test(header) || path.includes('/bin/')) return [];
  return [
    {
      file: path,
      line: 1,
      rule: 'header',
      message: 'opens without a // line that says what the file is for',
    },
  ];
}

const suppression = /@ts-(?:ignore|nocheck|expect-error)|(?:eslint|oxlint|biome)-(?:disable|ignore)/;

function suppressionFindings(source: Source): readonly Finding[] {
  const findings: Finding[] = [];
  const add = (line: number, message: string) =>
    findings.push({ file: source.path, line, rule: 'suppression', message });
  for (const { text, line } of source.comments) {
    const found = suppression.exec(text)?.[0];
    // A test of types may say that something must not compile.
    if (found !== undefined && !(source.isTest && found === '@ts-expect-error'))
      add(line, `${found} hides what a check says`);
  }
  for (const { node } of source.nodes) {
    if (node.type === 'TSAnyKeyword') add(source.lineOf(node.start), 'any switches the types off');
    if (isCast(node) && !source.isTest && !hasReason(source, node)) {
      add(source.lineOf(node.start), 'a cast needs a comment with its reason on the line or above it');
    }
  }
  return findings;
}

function isCast(node: SyntaxNode): boolean {
  if (node.type !== 'TSAsExpression' && node.type !== 'TSTypeAssertion') return false;
  const type = child(node, 'typeAnnotation');
  const isConst = type?.type === 'TSTypeReference' && identifierName(child(type, 'typeName')) === 'const';
  return !isConst && child(node, 'expression')?.type !== 'TSAsExpression';
}

/** How far above a cast its reason may stand, for statements that are laid out over a few lines. */
const reasonLines = 4;

function hasReason(source: Source, node: SyntaxNode): boolean {
  const line = source.lineOf(node.start);
  const last = source.lineOf(node.end);
  return source.comments.some(
    (comment) => comment.endLine >= line - reasonLines && comment.line <= last && comment.line > 1,
  );
}

const declarations = new Set([
  'VariableDeclarator',
  'FunctionDeclaration',
  'ClassDeclaration',
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
]);

function declaredNameFindings(source: Source): readonly Finding[] {
  const findings: Finding[] = [];
  for (const { node } of source.nodes) {
    const name = declarations.has(node.type) ? identifierName(child(node, 'id')) : null;
    const empty = name?.split(/(?=[A-Z])|_/).find((part) => emptyNames.includes(part.toLowerCase()));
    if (empty === undefined) continue;
    const message = `"${name}" says nothing with "${empty}"; name what it does`;
    findings.push({ file: source.path, line: source.lineOf(node.start), rule: 'name', message });
  }
  return findings;
}

function fileNameFindings(path: string): readonly Finding[] {
  const findings: Finding[] = [];
  const parts = path.toLowerCase().split(/[^a-z0-9]+/);
  const empty = parts.find((part) => emptyFileNames.includes(part));
  if (empty !== undefined) {
    findings.push({
      file: path,
      line: 1,
      rule: 'name',
      message: `a file or folder called "${empty}" holds anything`,
    });
  }
  const base = posix.basename(path);
  if (isSource(base) && !/^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.(?:test|config|d))?\.(?:ts|mjs)$/.test(base)) {
    findings.push({ file: path, line: 1, rule: 'name', message: 'file names are kebab-case' });
  }
  return findings;
}

/** The marks are put together so that this file does not hold them itself. */
const unfinished = new RegExp(`\\b(?:${['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X', 'HA' + 'CK'].join('|')})\\b`);

/** In code only comments count: strings may hold such letters as a currency code. */
function unfinishedInSource({ path, comments }: Source): readonly Finding[] {
  return comments.filter(({ text }) => unfinished.test(text)).map(({ line }) => unfinishedAt(path, line));
}

function unfinishedInText(path: string, text: string): readonly Finding[] {
  if (isSource(path) || path === 'package-lock.json' || !unfinished.test(text)) return [];
  return [unfinishedAt(path, text.split('\n').findIndex((each) => unfinished.test(each)) + 1)];
}

function unfinishedAt(file: string, line: number): Finding {
  return { file, line, rule: 'unfinished', message: 'a mark of unfinished work; finish it or open an issue' };
}

function isBarrel({ path, program }: Source): boolean {
  const { body } = program;
  if (!Array.isArray(body) || body.length === 0 || entryFiles.includes(path)) return false;
  return body.every((node: SyntaxNode) => {
    const isExport = node.type === 'ExportAllDeclaration' || node.type === 'ExportNamedDeclaration';
    return isExport && child(node, 'source') !== null;
  });
}
