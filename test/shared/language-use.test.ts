import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { ENGLISH, type MessageKey } from '../../shared/language/english.ts'
import { argumentsOf } from '../support/tools/catalog.ts'

interface Said {
  /** A key, or what a template makes one of. */
  readonly key: RegExp
  /** The names that it is filled with; null: they are not written beside it, or are those of several texts. */
  readonly values: readonly string[] | null
  readonly where: string
}

const ROOT = join(import.meta.dirname, '..', '..')

const said = ['shared', 'renderer', 'electron'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) => saidIn(join(folder, name))),
)
const keys = Object.keys(ENGLISH) as MessageKey[]

test('every text of the catalog is said somewhere', () => {
  expect(keys.filter((key) => !said.some((each) => each.key.test(key)))).toEqual([])
})

test('every text is filled with the values that it has', () => {
  const faults = said.flatMap(({ key, values, where }) => {
    if (values === null) return []
    const texts = keys.filter((each) => key.test(each))
    const lacking = texts.filter((each) => argumentsOf(ENGLISH[each]).some((name) => !isGiven(values, name)))
    const wanted = texts.flatMap((each) => argumentsOf(ENGLISH[each]))
    const needless = values.filter((value) => !wanted.includes(value))
    return [...lacking.map((each) => `${where}: ${each} lacks a value`), ...needless.map((name) => `${where}: ${name}`)]
  })
  expect(faults).toEqual([])
})

/** Tags are given apart. */
function isGiven(values: readonly string[], name: string): boolean {
  return name.startsWith('<') || values.includes(name)
}

function saidIn(path: string): readonly Said[] {
  const file = ts.createSourceFile(path, readFileSync(join(ROOT, path), 'utf8'), ts.ScriptTarget.Latest, true)
  const found: Said[] = []
  function look(node: ts.Node): void {
    const key = keyOf(node)
    if (key !== null) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart())
      found.push({
        key,
        values: ts.isTemplateExpression(node) ? null : valuesBeside(node),
        where: `${path}:${String(line + 1)}`,
      })
    }
    node.forEachChild(look)
  }
  look(file)
  return found
}

function keyOf(node: ts.Node): RegExp | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
    return node.text in ENGLISH ? exactly(literally(node.text)) : null
  }
  if (!ts.isTemplateExpression(node) || !/^[a-z]+\./.test(node.head.text)) return null
  const spans = node.templateSpans.map(({ literal }) => literally(literal.text))
  return exactly([literally(node.head.text), ...spans].join('[\\w.:-]+'))
}

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

function exactly(pattern: string): RegExp {
  return new RegExp(`^${pattern}$`)
}

/** Of `t(key, { … })` or `message(key, { … })`, where the key stands in the call or in a choice of it. */
function valuesBeside(node: ts.Node): readonly string[] | null {
  let call = node.parent
  while (ts.isConditionalExpression(call) || ts.isParenthesizedExpression(call)) call = call.parent
  if (!ts.isCallExpression(call) || !['t', 'message'].includes(call.expression.getText())) return null
  const [, values] = call.arguments
  if (values === undefined) return []
  if (!ts.isObjectLiteralExpression(values)) return null
  if (values.properties.some((property) => ts.isSpreadAssignment(property))) return null
  return values.properties.map((property) => property.name?.getText() ?? '')
}
