/** Attributes and members whose text people read. */
const TEXTS =
  /^(aria-(label|description|placeholder|roledescription|valuetext)|alt|body|(confirm|safe|action)?[lL]abel|detail|description|hint|message|placeholder|sentence|title|words)$/
/** A name that is the same in every language. */
const PRODUCT = 'Sluice'
/** Matches keys of the catalog, and other names that people don't read. */
const NAME = /^[a-z][\w-]*([.:][\w-]+)*$/

/**
 * An ESLint rule: texts for people must come from the catalog (`shared/language`). No words in JSX or in values that
 * people read, and no texts looked up while a file loads, because the language may be set later.
 *
 * @type {import('eslint').Rule.RuleModule}
 */
export const cataloged = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      text: 'Put this text into shared/language, in every language, and look it up with t().',
      early: 'This is looked up only once, in the language of that moment: call t() where the text is used.',
    },
  },
  create(context) {
    function check(node, mayBeName) {
      for (const said of saidBy(node)) {
        const text = textOf(said)
        if (text !== PRODUCT && /\p{L}/u.test(text) && !(mayBeName && NAME.test(text)))
          context.report({ node: said, messageId: 'text' })
      }
    }
    return {
      JSXText: (node) => check(node, false),
      JSXAttribute: ({ name, value }) => {
        if (TEXTS.test(String(name.name))) check(value, false)
      },
      'JSXElement > JSXExpressionContainer, JSXFragment > JSXExpressionContainer': (node) => check(node, false),
      'ObjectExpression > Property[computed=false]': ({ key, value }) => {
        if (TEXTS.test(key.name ?? key.value)) check(value, true)
      },
      'CallExpression[callee.name="t"]': (node) => {
        const around = context.sourceCode.getAncestors(node)
        if (!around.some(({ type }) => /Function/.test(type))) context.report({ node, messageId: 'early' })
      },
    }
  },
}

/** The texts that an expression may evaluate to. */
function saidBy(node) {
  switch (node?.type) {
    case 'JSXText':
    case 'Literal':
    case 'TemplateLiteral':
      return [node]
    case 'JSXExpressionContainer':
      return saidBy(node.expression)
    case 'ConditionalExpression':
      return [...saidBy(node.consequent), ...saidBy(node.alternate)]
    case 'LogicalExpression':
      return [...saidBy(node.left), ...saidBy(node.right)]
    case 'TSAsExpression':
      return saidBy(node.expression)
    default:
      return []
  }
}

/** The literal text of a node, without inserted values. */
function textOf(node) {
  if (node.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked).join(' ')
  return typeof node.value === 'string' ? node.value : ''
}
