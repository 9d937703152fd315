// What the command line takes: its commands and options, from which it is parsed, explained and completed.

import type { ParseArgsConfig } from 'node:util'
import { CONFLICTS } from '../../../shared/conflict.ts'
import { MAX_CHOSEN_PART_MIB, MIN_CHOSEN_PART_MIB } from '../../../shared/limits.ts'
import { GIVE_UP_AFTER_SECONDS, GIVE_UP_UNREACHED_SECONDS, MAX_CONNECTIONS } from './option-limits.ts'

/** What an option's value is: one of few words, a path, or anything. */
type OptionValue = readonly string[] | 'file' | 'folder' | 'text'

interface OptionFacts {
  readonly type: 'boolean' | 'string'
  readonly short?: string
  /** Of those with a value. */
  readonly takes?: OptionValue
  /** After the name, on its manual page. */
  readonly value?: string
  /** A sentence without its full stop. */
  readonly does: string
}

export const OPTIONS = {
  help: { type: 'boolean', short: 'h', does: 'Show what there is to say' },
  version: { type: 'boolean', does: 'Show the version' },
  json: { type: 'boolean', does: 'Print events as lines of JSON' },
  overwrite: { type: 'boolean', does: 'Replace a file that is there' },
  'if-exists': {
    ...{ type: 'string', takes: CONFLICTS, value: 'what' },
    does: 'Where the object is there already: keep both, replace it, skip it, or skip it if it is the same',
  },
  anonymous: { type: 'boolean', does: 'Let anybody in, without keys' },
  'path-style': { type: 'boolean', does: 'Name the bucket in the path, not in the host' },
  endpoint: { type: 'string', takes: 'text', value: 'url', does: 'Address of the service' },
  bucket: { type: 'string', takes: 'text', value: 'name', does: 'The bucket' },
  dialect: { type: 'string', takes: ['storage', 's3'], value: 'name', does: 'How the service is spoken to' },
  'access-key': { type: 'string', takes: 'text', value: 'key', does: 'The access key' },
  'secret-key': {
    ...{ type: 'string', takes: 'text', value: 'key' },
    does: 'The secret key; other programs can read it while the command runs',
  },
  'secret-key-file': {
    ...{ type: 'string', takes: 'file', value: 'path' },
    does: 'A file with the secret key, - for standard input',
  },
  region: { type: 'string', takes: 'text', value: 'name', does: 'The region; left out: the service tells it' },
  profile: { type: 'string', takes: 'text', value: 'name', does: 'A profile of ~/.aws that has the keys' },
  scheme: { type: 'string', takes: 'text', value: 'word', does: 'The word before a signature' },
  signature: {
    ...{ type: 'string', takes: ['hmac-sha1', 'hmac-sha256', 'none'], value: 'method' },
    does: 'How requests are signed',
  },
  'state-dir': { type: 'string', takes: 'folder', value: 'dir', does: 'Where is kept what a command continues from' },
  connections: {
    ...{ type: 'string', takes: 'text', value: 'n' },
    does: `Connections at a time, 1 to ${MAX_CONNECTIONS}`,
  },
  'part-size': {
    ...{ type: 'string', takes: 'text', value: 'MiB' },
    does: `Size of an upload’s parts, ${MIN_CHOSEN_PART_MIB} to ${MAX_CHOSEN_PART_MIB}`,
  },
  'limit-rate': { type: 'string', takes: 'text', value: 'rate', does: 'Bytes a second, such as 500K, 40M or 1.5G' },
  'give-up-after': {
    ...{ type: 'string', takes: 'text', value: 'seconds' },
    does: `How long to wait without progress; left out: ${GIVE_UP_UNREACHED_SECONDS} where nothing answers, else ${GIVE_UP_AFTER_SECONDS}`,
  },
  'upload-id': { type: 'string', takes: 'text', value: 'id', does: 'The unfinished upload' },
  'input-file': {
    ...{ type: 'string', short: 'i', takes: 'file', value: 'path' },
    does: 'A list of sources, one a line; - is standard input',
  },
  parts: { type: 'string', takes: 'file', value: 'file.json', does: 'The parts of an upload' },
  dir: { type: 'string', takes: 'folder', value: 'dir', does: 'Where the service keeps its objects' },
  port: { type: 'string', takes: 'text', value: 'n', does: 'The port; 0 or left out: a free one' },
} as const satisfies Record<string, OptionFacts> & NonNullable<ParseArgsConfig['options']>

export type OptionName = keyof typeof OPTIONS

/** The facts of an option, without what is particular to it. */
export function optionFacts(name: OptionName): OptionFacts {
  return OPTIONS[name]
}

/** Options of the whole command line, without a command. */
export const GLOBAL_OPTIONS = ['help', 'version'] as const satisfies readonly OptionName[]

const TRANSFER_OPTIONS = [
  ...(['endpoint', 'bucket', 'dialect', 'access-key', 'secret-key', 'secret-key-file', 'region', 'profile'] as const),
  ...(['path-style', 'scheme', 'signature', 'state-dir', 'connections', 'part-size', 'limit-rate'] as const),
  ...(['give-up-after', 'json', 'help'] as const),
] satisfies readonly OptionName[]

interface CommandFacts {
  /** Each way to call it, and what that does; empty: the line above says it. */
  readonly forms: readonly (readonly [usage: string, does: string])[]
  readonly options: readonly OptionName[]
  /** Words that may come next. */
  readonly verbs?: readonly string[]
}

/** The commands, in the order of the help. */
export const COMMANDS = {
  get: {
    forms: [
      ['get <source> [<dest>]', 'download a key, a prefix that ends in /, or an http(s) link'],
      ['get <source>… <folder>', 'download several; what fails is named, the others come'],
      ['get -i <file> [<folder>]', 'download what a text file lists, one a line; - is standard input'],
    ],
    options: ['overwrite', 'input-file', ...TRANSFER_OPTIONS],
  },
  put: {
    forms: [['put <file>… <target>', 'upload files to a key, or to a prefix that ends in /']],
    options: ['if-exists', ...TRANSFER_OPTIONS],
  },
  complete: {
    forms: [
      [
        'complete <key or url> --parts <file.json> [--upload-id <id>] [<file>]',
        'complete an upload whose parts are known; with the local file, send those that are missing first',
      ],
    ],
    options: ['parts', 'upload-id', ...TRANSFER_OPTIONS],
  },
  uploads: {
    forms: [
      ['uploads [list]', 'list unfinished uploads'],
      ['uploads finish <file> <key>', 'continue one with the local file'],
      ['uploads parts <key> [--upload-id <id>]', 'print the parts of one, for --parts'],
      ['uploads abort <key> --upload-id <id>', 'give one up, with what it has sent'],
    ],
    options: ['upload-id', ...TRANSFER_OPTIONS],
    verbs: ['list', 'finish', 'parts', 'abort'],
  },
  ls: { forms: [['ls [<prefix>]', 'list objects; without --bucket, the buckets']], options: TRANSFER_OPTIONS },
  serve: {
    forms: [
      [
        'serve --dir <dir> [--port <n>] [--bucket <name>] [--access-key <key> … | --anonymous]',
        'run the embedded object storage service; where no bucket is named, it has one called demo',
      ],
    ],
    options: ['dir', 'port', 'bucket', 'access-key', 'secret-key', 'secret-key-file', 'anonymous', 'json', 'help'],
  },
  report: {
    forms: [['report', 'print what helps to find a fault, without keys, addresses and names']],
    options: ['state-dir', 'json', 'help'],
  },
  completion: {
    forms: [['completion bash|zsh|fish', 'print what makes a shell complete these words']],
    options: ['json', 'help'],
    verbs: ['bash', 'zsh', 'fish'],
  },
  manual: { forms: [['manual', 'print the manual page, for man']], options: ['json', 'help'] },
  help: { forms: [], options: [] },
} as const satisfies Record<string, CommandFacts>

export type CommandName = keyof typeof COMMANDS

/** Each command with its facts. */
export const COMMAND_LIST: readonly (readonly [CommandName, CommandFacts])[] = Object.entries(
  COMMANDS,
) as unknown as readonly (readonly [CommandName, CommandFacts])[]

/** How a command is called, in the form whose next word is `word`; left out, or none: in its first form. Pure. */
export function usageOf(command: CommandName, word?: string): string {
  const usages = COMMANDS[command].forms.map(([usage]) => usage)
  const isMeant = (usage: string) => [word, `[${word}]`].includes(usage.split(' ')[1])
  return usages.find((usage) => word !== undefined && isMeant(usage)) ?? usages[0] ?? command
}

/** Whether a word begins a command, rather than naming a file that the window is to be opened with. Pure. */
export function isCommand(word: string): word is CommandName {
  return Object.hasOwn(COMMANDS, word)
}
