import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseCommand, type Command } from '../../../electron/cli/arguments.ts'
import { runCommand } from '../../../electron/cli/commands/command-line.ts'
import { helpOf } from '../../../electron/cli/manual/help.ts'
import {
  COMMAND_LIST,
  commandFacts,
  GLOBAL_OPTIONS,
  OPTIONS,
  optionFacts,
  optionsOf,
  type CommandName,
  type OptionName,
} from '../../../electron/cli/manual/option-table.ts'
import type { Output } from '../../../electron/cli/output.ts'
import { NOBODY_LISTENS } from '../../support/servers/nobody-listens.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

interface Call {
  readonly call: string
  readonly command: CommandName
  readonly verb: string | null
}

/** Each command, with each word that may follow it. */
const CALLS = COMMAND_LIST.filter(([, { forms }]) => forms.length > 0).flatMap(
  ([command, { verbs = [], verbOptions }]): readonly Call[] =>
    verbOptions === undefined
      ? [{ call: command, command, verb: null }]
      : verbs.map((verb) => ({ call: `${command} ${verb}`, command, verb })),
)

const ALL = Object.keys(OPTIONS) as OptionName[]

/** The option with a value that it may have. */
function written(name: OptionName): readonly string[] {
  const { takes } = optionFacts(name)
  if (takes === undefined) return [`--${name}`]
  const numbers: Partial<Record<OptionName, string>> = { connections: '4', 'part-size': '16', 'limit-rate': '1M' }
  const value = Array.isArray(takes) ? String(takes[0]) : (numbers[name] ?? '1')
  return [`--${name}`, value]
}

function isAccepted(command: CommandName, verb: string | null, name: OptionName): boolean {
  try {
    parseCommand([command, ...(verb === null ? [] : [verb]), ...written(name)], {})
    return true
  } catch (failure) {
    return !/ takes no --/.test(String(failure))
  }
}

/** The options that the help of a command names for the word. */
function explained(command: CommandName, verb: string | null): readonly string[] {
  return helpOf(command)
    .split(/\n(?= {2}(?:-|sluice))/)
    .flatMap((entry) => {
      const [, name] = /^ {2}(?:-\w, )?--([\w-]+)/.exec(entry) ?? []
      const [, verbs] = /\(((?:list|finish|parts|abort|, )+)\)\s*$/.exec(entry) ?? []
      return name === undefined || (verbs !== undefined && !verbs.split(', ').includes(verb ?? '')) ? [] : [name]
    })
}

it.each(CALLS)('$call accepts the options that its help explains, and no others', ({ command, verb }) => {
  const accepted = ALL.filter((name) => isAccepted(command, verb, name))
  const global: readonly string[] = GLOBAL_OPTIONS
  const own = optionsOf(command, verb)
  expect(accepted.toSorted()).toEqual([...new Set<string>([...own, ...global])].toSorted())
  expect(explained(command, verb).toSorted()).toEqual([...own].toSorted())
})

/** Where a parsed command has the value of an option. The others are used before the command is known. */
const MEMBERS: Readonly<Partial<Record<OptionName, string>>> = {
  ...{ overwrite: 'options.overwrite', 'input-file': 'listFile', 'if-exists': 'ifExists', parts: 'partsFile' },
  ...{ 'upload-id': 'uploadId', 'state-dir': 'options.stateDir', connections: 'options.connections' },
  ...{ 'part-size': 'options.partSizeBytes', 'limit-rate': 'options.limitBytesPerSecond' },
  ...{ 'give-up-after': 'options.giveUpAfterMs', endpoint: 'options.connection.endpoint' },
  ...{ bucket: 'options.connection.bucket', dialect: 'options.connection.dialect' },
  ...{ 'access-key': 'options.connection.accessKeyId', 'secret-key': 'options.connection.secretAccessKey' },
  ...{ region: 'options.connection.region', profile: 'options.connection.profile' },
  ...{ 'path-style': 'options.connection.pathStyle', scheme: 'options.connection.scheme' },
  signature: 'options.connection.signature',
}

/** The same value, which notes what is read of it. */
function noting<Value extends object>(value: Value, read: Set<string>, path = ''): Value {
  return new Proxy(value, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof name !== 'string') return member
      read.add(path + name)
      const isPlain = typeof member === 'object' && member !== null && !Array.isArray(member)
      return isPlain ? noting(member, read, `${path}${name}.`) : member
    },
  })
}

it('complete takes options of sending only with a file to send', () => {
  const parse = (...words: string[]) => parseCommand(['complete', 'key', ...words, '--parts', 'parts.json'], {})
  for (const name of ['limit-rate', 'connections', 'state-dir'] as const) {
    expect(() => parse(...written(name))).toThrow(`complete takes --${name} only with a file.`)
    expect(parse('file', ...written(name))).toMatchObject({ name: 'complete', file: 'file' })
  }
})

const SILENT = new Proxy({} as Output, { get: () => () => Promise.resolve(true) })

it.each([
  { call: 'get', operands: ['key', 'copy'], keepsState: true },
  { call: 'put', operands: ['source', 'key'], keepsState: true },
  { call: 'complete', operands: ['key', 'source', '--upload-id', '1', '--parts', 'parts'], keepsState: true },
  { call: 'complete', operands: ['key', '--upload-id', '1', '--parts', 'parts'], keepsState: false, withFile: false },
  { call: 'uploads list', operands: [], keepsState: false },
  { call: 'uploads finish', operands: ['source', 'key'], keepsState: true },
  { call: 'uploads parts', operands: ['key'], keepsState: false },
  { call: 'uploads abort', operands: ['key', '--upload-id', '1'], keepsState: false },
  { call: 'ls', operands: [], keepsState: false },
])('$call $operands uses each option that it accepts', async ({ call, operands, keepsState, withFile = true }) => {
  const folder = await tempDir()
  await writeFile(join(folder, 'source'), 'x')
  await writeFile(join(folder, 'parts'), '{"Parts":[{"PartNumber":1,"ETag":"e"}]}')
  const local = operands.map((word) => (/^(source|copy|parts)$/.test(word) ? join(folder, word) : word))
  const service = ['--endpoint', `http://${NOBODY_LISTENS}`, '--bucket', 'b', '--give-up-after', '1']
  const state = keepsState ? ['--state-dir', join(folder, 'state')] : []
  const words = call.split(' ')
  const command = parseCommand([...words, ...local, ...service, ...state], {})
  const read = new Set<string>()
  const { signal } = new AbortController()
  const running = runCommand(noting<Command>(command, read), SILENT, { first: signal, second: signal })
  // Nobody answers: it fails when it has done all that it can do by itself.
  await expect(running).rejects.toThrow()
  const name = words[0] as CommandName
  const refused = withFile ? [] : (commandFacts(name).optionsWithFile ?? [])
  const unused = optionsOf(name, words[1] ?? null).filter(
    (each) => MEMBERS[each] !== undefined && !refused.includes(each) && !read.has(MEMBERS[each]),
  )
  expect(unused).toEqual([])
})
