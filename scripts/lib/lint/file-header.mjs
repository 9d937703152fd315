/**
 * An ESLint rule: a file must say what it is. It begins with a comment, or its first exported value or type has a
 * docstring.
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

/** Whether a comment is text for people: directives for tools say nothing about the file. */
function isText({ type, value }) {
  return type !== 'Shebang' && !/^\s*(eslint|@ts-|prettier-)/.test(value)
}

function isDocstring({ type, value }) {
  return type === 'Block' && value.startsWith('*')
}
