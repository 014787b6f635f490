// Checks the first lines of files, names, suppressed checks, casts and marks of unfinished work.
import { type Finding, finding } from '../finding.ts';
import { isSource } from '../project.ts';
import { emptyFileNames, emptyNames, entryFiles } from '../rules.ts';
import { child, identifierName, type Source, type SyntaxNode } from '../source.ts';
import type { Tree } from '../tree.ts';

/** Header lines, names, suppressed checks, casts without a reason, marks of unfinished work, barrels. */
export function checkWording({ project, sources }: Tree): readonly Finding[] {
  return [
    ...sources.flatMap((source) => [
      ...headerFindings(source),
      ...suppressionFindings(source),
      ...castFindings(source),
      ...declaredNameFindings(source),
      ...barrelFindings(source),
    ]),
    ...[...project.files].flatMap(([path, text]) => [
      ...fileNameFindings(path),
      ...unfinishedFindings(path, text),
    ]),
  ];
}

function headerFindings({ path, text }: Source): readonly Finding[] {
  const [first = '', second = ''] = text.split('\n', 2);
  const header = first.startsWith('#!') ? second : first;
  // A file in bin needs no header: its few lines only start the program.
  if (/^\/\/ \S+ .*\S/.test(header) || path.includes('/bin/')) return [];
  return [finding(path, 1, 'header', 'opens without a // line that says what the file is for')];
}

const suppression = /@ts-(?:ignore|nocheck|expect-error)|(?:eslint|oxlint|biome)-(?:disable|ignore)/;

function suppressionFindings({ path, isTest, comments }: Source): readonly Finding[] {
  return comments.flatMap(({ text, line }) => {
    const found = suppression.exec(text)?.[0];
    // A test of types may state that something must not compile.
    if (found === undefined || (isTest && found === '@ts-expect-error')) return [];
    return [finding(path, line, 'suppression', `${found} hides what a check says`)];
  });
}

/** How many lines above a cast its reason may be, because a statement may be laid out over a few lines. */
const reasonLines = 4;

function castFindings({ path, isTest, nodes, comments, lineOf }: Source): readonly Finding[] {
  return nodes.flatMap(({ node }) => {
    if (isTest || !isCast(node)) return [];
    const line = lineOf(node.start);
    const last = lineOf(node.end);
    const hasReason = comments.some(
      (comment) => comment.endLine >= line - reasonLines && comment.line <= last && comment.line > 1,
    );
    return hasReason
      ? []
      : [finding(path, line, 'suppression', 'a cast needs a comment with its reason above it')];
  });
}

function isCast(node: SyntaxNode): boolean {
  if (node.type !== 'TSAsExpression' && node.type !== 'TSTypeAssertion') return false;
  const type = child(node, 'typeAnnotation');
  const isConst = type?.type === 'TSTypeReference' && identifierName(child(type, 'typeName')) === 'const';
  return !isConst && child(node, 'expression')?.type !== 'TSAsExpression';
}

const declarations = new Set([
  'VariableDeclarator',
  'FunctionDeclaration',
  'ClassDeclaration',
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
]);

function declaredNameFindings({ path, nodes, lineOf }: Source): readonly Finding[] {
  return nodes.flatMap(({ node }) => {
    const name = declarations.has(node.type) ? identifierName(child(node, 'id')) : null;
    const empty = name?.split(/(?=[A-Z])|_/).find((part) => emptyNames.includes(part.toLowerCase()));
    if (empty === undefined) return [];
    return [
      finding(path, lineOf(node.start), 'name', `"${name}" says nothing with "${empty}"; name what it does`),
    ];
  });
}

function fileNameFindings(path: string): readonly Finding[] {
  const parts = path.toLowerCase().split(/[^a-z0-9]+/);
  const empty = parts.find((part) => emptyFileNames.includes(part));
  return empty === undefined ? [] : [finding(path, 1, 'name', `what is called "${empty}" holds anything`)];
}

/** The marks are concatenated, so that this file does not contain them itself. In code they are left to oxlint. */
const unfinished = new RegExp(`\\b(?:${['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X', 'HA' + 'CK'].join('|')})\\b`);

function unfinishedFindings(path: string, text: string): readonly Finding[] {
  if (isSource(path) || path === 'package-lock.json' || !unfinished.test(text)) return [];
  const line = text.split('\n').findIndex((each) => unfinished.test(each)) + 1;
  return [finding(path, line, 'unfinished', 'a mark of unfinished work; finish it or open an issue')];
}

function barrelFindings({ path, program }: Source): readonly Finding[] {
  const { body } = program;
  if (!Array.isArray(body) || body.length === 0 || entryFiles.includes(path)) return [];
  const isBarrel = body.every(
    (node: SyntaxNode) =>
      ['ExportAllDeclaration', 'ExportNamedDeclaration'].includes(node.type) &&
      child(node, 'source') !== null,
  );
  return isBarrel ? [finding(path, 1, 'barrel', 'only exports what others hold; import from them')] : [];
}
