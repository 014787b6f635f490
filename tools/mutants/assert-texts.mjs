// What is not mutated: the words of an assertion. They are read where a process has stopped, and decide nothing.

/** @param {any} path a node of the source and where it stands, as Babel knows it */
function shouldIgnore({ parent, listKey, key }) {
  const isText = listKey === 'arguments' && key === 1 && parent.type === 'CallExpression';
  return isText && parent.callee.name === 'assert' ? 'the words of an assertion' : undefined;
}

export const strykerPlugins = [{ kind: 'Ignore', name: 'assert-texts', value: { shouldIgnore } }];
