// Parses the command line into a `Command`. Nothing is opened or read here.

import { parseArgs } from 'node:util'
import { assertNever } from '../../shared/assert.ts'
import { CONFLICTS, type Conflict } from '../../shared/conflict.ts'
import { MAX_CHOSEN_PART_MIB, MIB, MIN_CHOSEN_PART_MIB, MIN_RATE_LIMIT } from '../../shared/limits.ts'
import { connectionOptions, keyText, type ConnectionOptions, type Environment } from './connection-options.ts'
import {
  commandFacts,
  COMMANDS,
  GLOBAL_OPTIONS,
  isCommand,
  OPTIONS,
  optionsOf,
  usageOf,
  type CommandName,
  type OptionName,
} from './manual/option-table.ts'
import type { Shell } from './manual/completions.ts'
import { MAX_CONNECTIONS, MAX_GIVE_UP_SECONDS } from './manual/option-limits.ts'
import { variableOf } from './manual/variables.ts'
import { meantWord } from './meant-word.ts'
import { UsageError } from './usage-error.ts'

/** Options of commands that ask a service. */
export interface ServiceOptions {
  /** Milliseconds without any progress; null: the kind of failure decides. */
  readonly giveUpAfterMs: number | null
  readonly connection: ConnectionOptions
}

/** Options of commands that transfer files. */
export interface TransferOptions extends ServiceOptions {
  readonly stateDir: string | null
  readonly connections: number | null
  readonly limitBytesPerSecond: number | null
}

export interface GetOptions extends TransferOptions {
  readonly overwrite: boolean
}

export interface PutOptions extends TransferOptions {
  readonly partSizeBytes: number | null
}

export type Command =
  /** Null: the help of all commands. */
  | { readonly name: 'help'; readonly of: CommandName | null }
  | { readonly name: 'version' }
  | { readonly name: 'completion'; readonly shell: Shell }
  | { readonly name: 'manual' }
  | { readonly name: 'report'; readonly stateDir: string | null }
  | {
      readonly name: 'get'
      /** Empty if a list names the sources. */
      readonly sources: readonly string[]
      /** A file with one source per line, `-` for standard input; null: none. */
      readonly listFile: string | null
      /** A folder if there are several sources. */
      readonly dest: string | null
      readonly options: GetOptions
    }
  | {
      readonly name: 'put'
      readonly files: readonly string[]
      readonly target: string
      readonly ifExists: Conflict
      readonly options: PutOptions
    }
  | {
      readonly name: 'complete'
      /** A key, or the address of the object. */
      readonly key: string
      /** Null: the parts file names it. */
      readonly uploadId: string | null
      readonly partsFile: string
      /** The local file that proves the parts already there and supplies the missing ones; null: none. */
      readonly file: string | null
      readonly options: TransferOptions
    }
  | { readonly name: 'uploads-list'; readonly options: ServiceOptions }
  | { readonly name: 'uploads-finish'; readonly file: string; readonly key: string; readonly options: TransferOptions }
  | {
      readonly name: 'uploads-parts'
      readonly key: string
      /** Null: the key has only one. */
      readonly uploadId: string | null
      readonly options: ServiceOptions
    }
  | {
      readonly name: 'uploads-abort'
      readonly key: string
      readonly uploadId: string
      readonly options: ServiceOptions
    }
  | { readonly name: 'ls'; readonly prefix: string; readonly options: ServiceOptions }
  | {
      readonly name: 'serve'
      readonly directory: string
      readonly port: number
      readonly bucket: string
      readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null
    }

type Values = { readonly [Name in OptionName]?: (typeof OPTIONS)[Name]['type'] extends 'boolean' ? boolean : string }

/**
 * The file that holds the secret key, `-` for standard input; null when none is named. A key on the command line itself
 * is visible to every program on the computer while the command runs. Throws UsageError. Pure.
 */
export function secretKeyFile(argv: readonly string[]): string | null {
  const { values } = parseOptions(argv)
  const path = values['secret-key-file']
  if (path === undefined) return null
  if (values['secret-key'] !== undefined) throw new UsageError('Give --secret-key-file or --secret-key, not both.')
  if (path === '') throw new UsageError('--secret-key-file needs a path, or - for standard input.')
  if (path === '-' && values['input-file'] === '-') {
    throw new UsageError('Standard input can be the list or the secret key, not both.')
  }
  return path
}

/** Parses the arguments after the program's name. Throws UsageError with one sentence. Pure. */
export function parseCommand(argv: readonly string[], environment: Environment): Command {
  const { values, positionals } = parseOptions(argv)
  if (values.version) return { name: 'version' }
  const [word, ...operands] = positionals
  if (word === undefined) return { name: 'help', of: null }
  const name = commandNamed(word)
  if (name === 'help') return { name, of: operands[0] === undefined ? null : commandNamed(operands[0]) }
  if (values.help) return { name: 'help', of: name }
  requireOwnOptions(name, operands[0] ?? null, values)
  if (name === 'serve') return parseServe(operands, values, environment)
  if (name === 'manual') {
    expect(operands, 0, 0, usageOf(name))
    return { name }
  }
  if (name === 'report') {
    expect(operands, 0, 0, usageOf(name))
    return { name, stateDir: values['state-dir'] || environment[variableOf('state-dir')] || null }
  }
  if (name === 'completion') {
    const shell = COMMANDS.completion.verbs.find((each) => each === operands[0])
    if (shell === undefined || operands.length > 1) throw wrongUse(usageOf(name))
    return { name, shell }
  }
  const options = transferOptions(values, environment)
  switch (name) {
    case 'get':
      return parseGet(operands, values, { ...options, overwrite: values.overwrite ?? false })
    case 'put': {
      expect(operands, 2, Number.POSITIVE_INFINITY, usageOf(name))
      if (operands.includes('-')) throw new UsageError(`put uploads files, not standard input. ${DASH_FILE}`)
      const ifExists = parseConflict(values['if-exists'] ?? 'replace')
      return {
        name,
        files: operands.slice(0, -1),
        target: operands.at(-1) ?? '',
        ifExists,
        options: { ...options, partSizeBytes: partSizeOf(values) },
      }
    }
    case 'complete': {
      const usage = usageOf(name)
      const [operand = '', file = null] = expect(operands, 1, 2, usage)
      const partsFile = required(values, 'parts', usage)
      if (file === null) requireNoOptionsOfFiles(name, values)
      return { name, key: operand, uploadId: values['upload-id'] ?? null, partsFile, file, options }
    }
    case 'uploads':
      return parseUploads(operands, values, options)
    case 'ls': {
      const [prefix] = expect(operands, 0, 1, usageOf(name))
      return { name, prefix: prefix ?? '', options }
    }
    default:
      return assertNever(name)
  }
}

function commandNamed(word: string): CommandName {
  if (isCommand(word)) return word
  const meant = OTHER_NAMES[word.toLowerCase()] ?? meantWord(word, Object.keys(COMMANDS))
  throw new UsageError(`There is no command “${word}”. ${suggestion(meant, 'sluice help')}`)
}

/** What commands are called elsewhere; “upload” is nearer to another command than to the one that is meant. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  ...{ upload: 'put', download: 'get', list: 'ls', dir: 'ls' },
  ...{ cp: 'put or get', copy: 'put or get', sync: 'put or get' },
}

function suggestion(meant: string | null, help: string): string {
  return meant === null ? `See ${help}.` : `Did you mean ${meant}?`
}

/** Rejects options that the command would ignore, because then it would not do what was asked. */
function requireOwnOptions(name: CommandName, verb: string | null, values: Values): void {
  const own = new Set<string>([...GLOBAL_OPTIONS, ...optionsOf(name, verb)])
  const stray = Object.keys(values).find((each) => !own.has(each))
  if (stray === undefined) return
  const isOfOtherVerb = commandFacts(name).options.some((each) => each === stray)
  const taker = isOfOtherVerb ? `${name} ${verb ?? 'list'}` : name
  throw new UsageError(`${taker} takes no --${stray}. See sluice ${name} --help.`)
}

/** Rejects options that only matter together with a local file, when none is given. */
function requireNoOptionsOfFiles(name: CommandName, values: Values): void {
  const stray = commandFacts(name).optionsWithFile?.find((each) => values[each] !== undefined)
  if (stray !== undefined) throw new UsageError(`${name} takes --${stray} only with a file.`)
}

function parseOptions(argv: readonly string[]): { values: Values; positionals: string[] } {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true, strict: true })
  } catch (failure) {
    throw new UsageError(optionWords(failure instanceof Error ? failure.message : String(failure), argv))
  }
}

/** Rewords Node's error about an option. Neither contains the option's value, which may be a secret. */
function optionWords(message: string, argv: readonly string[]): string {
  const written = /'(?:-., )?(--?[^' ]+)/.exec(message)?.[1] ?? 'An option'
  if (message.startsWith('Unknown option')) {
    const meant = written.startsWith('--') ? meantOption(written.slice(2), argv) : null
    const advice = suggestion(meant, 'sluice help')
    return `There is no option ${written}. ${advice}${meant === null ? ' A name that begins with “-” comes last, after “--”.' : ''}`
  }
  if (message.includes('does not take')) return `${written} takes no value.`
  const long = /'(--[^=']+)=/.exec(message)?.[1]
  return long === undefined
    ? `${written} needs a value.`
    : `${long} needs a value; one that begins with “-” is written ${long}=-….`
}

/** The option, with its dashes, that was probably meant: one of the command's, if the line has a command. */
function meantOption(typed: string, argv: readonly string[]): string | null {
  const command = argv.find(isCommand)
  const names = command === undefined ? Object.keys(OPTIONS) : [...GLOBAL_OPTIONS, ...commandFacts(command).options]
  const meant = meantWord(typed, [...new Set(names)])
  return meant === null ? null : `--${meant}`
}

/** Streams can't be continued where they stopped. */
const DASH_FILE = 'A file of the name - is given as ./-.'

function parseGet(operands: readonly string[], values: Values, options: GetOptions): Command {
  if (operands.at(-1) === '-') throw new UsageError(`get saves to files, not to standard output. ${DASH_FILE}`)
  const listFile = values['input-file'] ?? null
  if (listFile === null) {
    expect(operands, 1, Number.POSITIVE_INFINITY, usageOf('get'))
    const [first = ''] = operands
    if (operands.length === 1) return { name: 'get', sources: [first], listFile, dest: null, options }
    return { name: 'get', sources: operands.slice(0, -1), listFile, dest: operands.at(-1) ?? null, options }
  }
  const [dest = null] = expect(operands, 0, 1, usageOf('get', '-i'))
  if (listFile === '') throw new UsageError('-i needs a path, or - for standard input.')
  return { name: 'get', sources: [], listFile, dest, options }
}

function parseConflict(text: string): Conflict {
  const wanted = CONFLICTS.find((each) => each === text)
  if (wanted === undefined) throw new UsageError(`--if-exists takes ${CONFLICTS.join(', ')}.`)
  return wanted
}

function parseUploads(operands: readonly string[], values: Values, options: TransferOptions): Command {
  const [verb = 'list', ...rest] = operands
  const usage = usageOf('uploads', verb)
  switch (verb) {
    case 'list':
      expect(rest, 0, 0, usage)
      return { name: 'uploads-list', options }
    case 'finish': {
      const [file, key] = expect(rest, 2, 2, usage)
      return { name: 'uploads-finish', file: file ?? '', key: key ?? '', options }
    }
    case 'parts': {
      const [key] = expect(rest, 1, 1, usage)
      return { name: 'uploads-parts', key: key ?? '', uploadId: values['upload-id'] ?? null, options }
    }
    case 'abort': {
      const [key] = expect(rest, 1, 1, usage)
      return { name: 'uploads-abort', key: key ?? '', uploadId: required(values, 'upload-id', usage), options }
    }
    default:
      throw new UsageError(
        `There is no command “uploads ${verb}”. ${suggestion(meantVerb(verb), 'sluice help uploads')}`,
      )
  }
}

function meantVerb(typed: string): string | null {
  const verb = meantWord(typed, COMMANDS.uploads.verbs)
  return verb === null ? null : `uploads ${verb}`
}

function parseServe(operands: readonly string[], values: Values, environment: Environment): Command {
  const usage = usageOf('serve')
  expect(operands, 0, 0, usage)
  const accessKeyId = keyText(values['access-key'] ?? environment[variableOf('access-key')])
  const secretAccessKey = keyText(values['secret-key'] ?? environment[variableOf('secret-key')])
  if (!values.anonymous && (!accessKeyId || !secretAccessKey)) {
    throw new UsageError('serve needs --access-key and --secret-key-file (or the variables), or --anonymous.')
  }
  if (values.anonymous && (values['access-key'] ?? values['secret-key']) !== undefined) {
    throw new UsageError('serve takes keys or --anonymous, not both.')
  }
  return {
    name: 'serve',
    directory: required(values, 'dir', usage),
    port: values.port === undefined ? 0 : wholeNumber(values.port, 'port', 0, 65_535),
    bucket: values.bucket ?? 'demo',
    credentials: values.anonymous ? null : { accessKeyId: accessKeyId ?? '', secretAccessKey: secretAccessKey ?? '' },
  }
}

function transferOptions(values: Values, environment: Environment): TransferOptions {
  const connections = values.connections
  const limitRate = values['limit-rate']
  const giveUpAfter = values['give-up-after']
  return {
    stateDir: values['state-dir'] || environment[variableOf('state-dir')] || null,
    connections: connections === undefined ? null : wholeNumber(connections, 'connections', 1, MAX_CONNECTIONS),
    limitBytesPerSecond: limitRate === undefined ? null : parseRate(limitRate),
    giveUpAfterMs:
      giveUpAfter === undefined ? null : 1000 * wholeNumber(giveUpAfter, 'give-up-after', 1, MAX_GIVE_UP_SECONDS),
    connection: connectionOptions(values, environment),
  }
}

function partSizeOf(values: Values): number | null {
  const partSize = values['part-size']
  return partSize === undefined
    ? null
    : wholeNumber(partSize, 'part-size', MIN_CHOSEN_PART_MIB, MAX_CHOSEN_PART_MIB) * MIB
}

const MOST_RATE = 900 * 1024 ** 3

/**
 * Parses a rate such as `500K`, `40M`, `1.5G` or `65536` into bytes per second, at least `MIN_RATE_LIMIT` and at most
 * 900 GiB; the letters are powers of 1,024. Throws UsageError.
 */
export function parseRate(text: string): number {
  const match = /^(\d+(?:\.\d+)?)([KMG]?)$/i.exec(text)
  const factor = 1024 ** ['', 'K', 'M', 'G'].indexOf((match?.[2] ?? '').toUpperCase())
  const rate = Math.round(Number(match?.[1]) * factor)
  if (rate >= MIN_RATE_LIMIT && rate <= MOST_RATE) return rate
  throw new UsageError(
    `--limit-rate is from 1K to 900G bytes a second, such as 500K, 40M or 1G, and can’t be “${text}”.`,
  )
}

function expect(operands: readonly string[], least: number, most: number, usage: string): readonly string[] {
  if (operands.length < least || operands.length > most || operands.some((operand) => operand === '')) {
    throw wrongUse(usage)
  }
  return operands
}

function wrongUse(usage: string): UsageError {
  return new UsageError(`Usage: sluice ${usage}`)
}

function required(values: Values, name: 'upload-id' | 'parts' | 'dir', usage: string): string {
  const value = values[name]
  if (!value) throw wrongUse(usage)
  return value
}

function wholeNumber(text: string, name: string, least: number, most: number): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < least || value > most) {
    throw new UsageError(`--${name} must be a whole number from ${least} to ${most}.`)
  }
  return value
}
