/**
 * ESLint's rule that a file says what it is: it begins with a comment, or a docstring is on the first value or the
 * first type that it exports.
 *
 * @type {import('eslint').Rule.RuleModule}
 */
export const fileHeader = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { missing: 'Begin with one line that says what this file is, or document the first thing it exports.' },
  },
  create: (context) => ({
    Program(program) {
      const { sourceCode } = context
      const [first] = program.body
      if (first !== undefined && sourceCode.getCommentsBefore(first).some(isText)) return
      const exported = program.body.filter(({ type }) => type === 'ExportNamedDeclaration')
      const firsts = [
        exported.find(({ exportKind }) => exportKind === 'value'),
        exported.find(({ exportKind }) => exportKind === 'type'),
      ]
      const isDocumented = (node) => node !== undefined && sourceCode.getCommentsBefore(node).some(isDocstring)
      if (!firsts.some(isDocumented)) context.report({ node: program, messageId: 'missing' })
    },
  }),
}

/** A line for a tool says nothing of the file. */
function isText({ type, value }) {
  return type !== 'Shebang' && !/^\s*(eslint|@ts-|prettier-)/.test(value)
}

function isDocstring({ type, value }) {
  return type === 'Block' && value.startsWith('*')
}
