// The commands and options of the command line. Parser, help, manual page and completions are made from them.

import type { ParseArgsConfig } from 'node:util'
import { CONFLICTS } from '../../../shared/conflict.ts'
import { MAX_CHOSEN_PART_MIB, MIN_CHOSEN_PART_MIB } from '../../../shared/limits.ts'
import { GIVE_UP_AFTER_SECONDS, GIVE_UP_UNREACHED_SECONDS, MAX_CONNECTIONS } from './option-limits.ts'

/** The kind of an option's value: one of a few words, a path, or any text. */
type OptionValue = readonly string[] | 'file' | 'folder' | 'text'

interface OptionFacts {
  readonly type: 'boolean' | 'string'
  readonly short?: string
  /** Left out if the option takes no value. */
  readonly takes?: OptionValue
  /** The placeholder for the value in the help and on the manual page. */
  readonly value?: string
  /** A sentence without its full stop. */
  readonly does: string
}

export const OPTIONS = {
  help: { type: 'boolean', short: 'h', does: 'Show the help' },
  version: { type: 'boolean', does: 'Show the version' },
  json: { type: 'boolean', does: 'Print results and events as lines of JSON' },
  overwrite: {
    type: 'boolean',
    does: 'Replace an existing file; otherwise it is refused, and in a folder the new one gets the next free name',
  },
  'if-exists': {
    ...{ type: 'string', takes: CONFLICTS, value: 'what' },
    does: 'If another object has the key: keep both, replace it (the default), skip the file, or skip it if both are the same and else keep both',
  },
  anonymous: { type: 'boolean', does: 'Let anybody in, without keys' },
  'path-style': {
    type: 'boolean',
    does: 'Name the bucket in the path, not in the host; the default for IP addresses and for hosts without a dot',
  },
  endpoint: {
    type: 'string',
    takes: 'text',
    value: 'url',
    does: 'Address of the service, such as https://s3.example.com; with s3, if left out, the profile’s or Amazon’s',
  },
  bucket: { type: 'string', takes: 'text', value: 'name', does: 'The bucket' },
  dialect: {
    type: 'string',
    takes: ['storage', 's3'],
    value: 'name',
    does: 'The protocol that the service speaks; by default storage',
  },
  'access-key': { type: 'string', takes: 'text', value: 'key', does: 'The access key' },
  'secret-key': {
    ...{ type: 'string', takes: 'text', value: 'key' },
    does: 'The secret key; other programs can read it while the command runs',
  },
  'secret-key-file': {
    ...{ type: 'string', takes: 'file', value: 'path' },
    does: 'A file that holds the secret key; - is standard input',
  },
  region: { type: 'string', takes: 'text', value: 'name', does: 'The region; if left out, the service tells it' },
  profile: { type: 'string', takes: 'text', value: 'name', does: 'A profile in ~/.aws that holds the keys' },
  scheme: {
    type: 'string',
    takes: 'text',
    value: 'word',
    does: 'The word before a signature, with the dialect storage; by default STORAGE',
  },
  signature: {
    ...{ type: 'string', takes: ['hmac-sha1', 'hmac-sha256', 'none'], value: 'method' },
    does: 'How requests are signed, with the dialect storage; by default hmac-sha1 with keys, else none',
  },
  'state-dir': {
    type: 'string',
    takes: 'folder',
    value: 'dir',
    does: 'The folder in which commands keep what they continue from, in place of the usual one',
  },
  connections: {
    ...{ type: 'string', takes: 'text', value: 'n' },
    does: `Connections of each transfer, 1 to ${MAX_CONNECTIONS}; by default as many as make it faster`,
  },
  'part-size': {
    ...{ type: 'string', takes: 'text', value: 'MiB' },
    does: `Size of an upload’s parts in MiB, ${MIN_CHOSEN_PART_MIB} to ${MAX_CHOSEN_PART_MIB}; by default it follows the file and the line`,
  },
  'limit-rate': {
    type: 'string',
    takes: 'text',
    value: 'rate',
    does: 'The most bytes a second, such as 500K, 40M or 1.5G; the letters are powers of 1,024',
  },
  'give-up-after': {
    ...{ type: 'string', takes: 'text', value: 'seconds' },
    does: `How long to wait without progress; by default ${GIVE_UP_UNREACHED_SECONDS} if nothing ever answers, else ${GIVE_UP_AFTER_SECONDS}`,
  },
  'upload-id': { type: 'string', takes: 'text', value: 'id', does: 'The unfinished upload' },
  'input-file': {
    ...{ type: 'string', short: 'i', takes: 'file', value: 'path' },
    does: 'A list of sources, one per line; - is standard input',
  },
  parts: { type: 'string', takes: 'file', value: 'file.json', does: 'The parts of an upload; - is standard input' },
  dir: { type: 'string', takes: 'folder', value: 'dir', does: 'Where the service keeps its objects' },
  port: { type: 'string', takes: 'text', value: 'n', does: 'The port; a free one if 0 or left out' },
} as const satisfies Record<string, OptionFacts> & NonNullable<ParseArgsConfig['options']>

export type OptionName = keyof typeof OPTIONS

/** The facts of an option, as the general type. */
export function optionFacts(name: OptionName): OptionFacts {
  return OPTIONS[name]
}

/** An option as it is written, such as `-h, --help` or `--port <n>`. Pure. */
export function optionText(name: OptionName): string {
  const { short, value, takes } = optionFacts(name)
  const words = Array.isArray(takes) ? takes.join('|') : `<${value ?? ''}>`
  return `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${words}`}`
}

/** Options that need no command. */
export const GLOBAL_OPTIONS = ['help', 'version'] as const satisfies readonly OptionName[]

/** Options of commands that ask a service. */
const SERVICE_OPTIONS = [
  ...(['endpoint', 'bucket', 'dialect', 'access-key', 'secret-key', 'secret-key-file', 'region', 'profile'] as const),
  ...(['path-style', 'scheme', 'signature', 'give-up-after', 'json', 'help'] as const),
] satisfies readonly OptionName[]

/** Options that say how bytes are sent or fetched, and where the command keeps what it continues from. */
const SENDING_OPTIONS = ['state-dir', 'connections', 'limit-rate'] as const satisfies readonly OptionName[]

/** Options of commands that transfer files. */
const TRANSFER_OPTIONS = [...SENDING_OPTIONS, ...SERVICE_OPTIONS] satisfies readonly OptionName[]

const ONE_UPLOAD_OPTIONS = ['upload-id', ...SERVICE_OPTIONS] satisfies readonly OptionName[]

interface CommandFacts {
  /** Each form of the command and what it does. Empty: the help doesn't list it. */
  readonly forms: readonly (readonly [usage: string, does: string])[]
  readonly options: readonly OptionName[]
  /** Whole lines, and what each does. */
  readonly examples?: readonly (readonly [line: string, does: string])[]
  /** Words that may follow the command. */
  readonly verbs?: readonly string[]
  /** The options of each of these words, if they differ; the first word may be left out. */
  readonly verbOptions?: Readonly<Record<string, readonly OptionName[]>>
  /** Those that it takes only together with a local file; without one, it sends nothing. */
  readonly optionsWithFile?: readonly OptionName[]
}

/** How the examples reach a service. */
const AT_STUDIO = '--dialect s3 --profile studio'

/** The commands, in the order of the help. */
export const COMMANDS = {
  get: {
    forms: [
      [
        'get <source> [<dest>]',
        'download a key, a prefix that ends in /, or an http(s) link; by default into this folder',
      ],
      ['get <source>… <folder>', 'download several; those that fail are named, the others still arrive'],
      ['get -i <file> [<folder>]', 'download the sources in a text file, one per line; - is standard input'],
    ],
    options: ['overwrite', 'input-file', ...TRANSFER_OPTIONS],
    examples: [
      [`sluice get s3://bucket/films/ films/ ${AT_STUDIO}`, 'everything below a prefix, into the folder films'],
      ['sluice get https://example.com/film.mov --limit-rate 10M', 'a link, at no more than 10 MiB a second'],
    ],
  },
  put: {
    forms: [
      [
        'put <file>… <target>',
        'upload a file to a key, or files and folders to a prefix that ends in /; an object that has the key is replaced',
      ],
    ],
    options: ['if-exists', 'part-size', ...TRANSFER_OPTIONS],
    examples: [
      [`sluice put film.mov s3://bucket/films/ ${AT_STUDIO}`, 'a file, to films/film.mov'],
      [`sluice put photos s3://bucket/ ${AT_STUDIO}`, 'a folder, to photos/'],
    ],
  },
  complete: {
    forms: [
      [
        'complete <key or url> --parts <file.json> [--upload-id <id>] [<file>]',
        'complete an upload whose parts are known; with the local file, send those that are missing first',
      ],
    ],
    options: ['parts', 'upload-id', ...TRANSFER_OPTIONS],
    examples: [
      [
        `sluice complete s3://bucket/film.mov --parts parts.json ${AT_STUDIO}`,
        'from the list that “uploads parts” prints',
      ],
    ],
    optionsWithFile: SENDING_OPTIONS,
  },
  uploads: {
    forms: [
      ['uploads [list]', 'list unfinished uploads'],
      ['uploads finish <file> <key>', 'continue one with the local file'],
      ['uploads parts <key> [--upload-id <id>]', 'print the parts of one, for --parts'],
      ['uploads abort <key> --upload-id <id>', 'discard one, with what it has sent'],
    ],
    options: ['upload-id', ...TRANSFER_OPTIONS],
    examples: [
      [`sluice uploads --bucket bucket ${AT_STUDIO}`, 'the unfinished uploads of a bucket'],
      [`sluice uploads finish film.mov s3://bucket/film.mov ${AT_STUDIO}`, 'sends only what is missing'],
    ],
    verbs: ['list', 'finish', 'parts', 'abort'],
    verbOptions: {
      list: SERVICE_OPTIONS,
      finish: TRANSFER_OPTIONS,
      parts: ONE_UPLOAD_OPTIONS,
      abort: ONE_UPLOAD_OPTIONS,
    },
  },
  ls: {
    forms: [['ls [<prefix>]', 'list what is directly below a prefix that ends in /; without any bucket, the buckets']],
    options: SERVICE_OPTIONS,
    examples: [
      [`sluice ls s3://bucket/films/ ${AT_STUDIO}`, 'the objects and prefixes in films/, with their sizes'],
      [`sluice ls ${AT_STUDIO}`, 'the buckets'],
    ],
  },
  serve: {
    forms: [
      [
        'serve --dir <dir> [--port <n>] [--bucket <name>] [--access-key <key> … | --anonymous]',
        'run the embedded object storage service, for this computer only; its bucket is called demo unless named',
      ],
    ],
    options: ['dir', 'port', 'bucket', 'access-key', 'secret-key', 'secret-key-file', 'anonymous', 'json', 'help'],
    examples: [
      ['sluice serve --dir store --port 9000 --anonymous', 'a service at http://127.0.0.1:9000 to try things with'],
    ],
  },
  report: {
    forms: [['report', 'print facts that help to find a fault, without keys, addresses and names']],
    options: ['state-dir', 'json', 'help'],
  },
  completion: {
    forms: [['completion bash|zsh|fish', 'print the script by which a shell completes these words']],
    options: ['json', 'help'],
    examples: [['source <(sluice completion bash)', 'completes in this bash']],
    verbs: ['bash', 'zsh', 'fish'],
  },
  manual: {
    forms: [['manual', 'print the manual page, for man']],
    options: ['json', 'help'],
    examples: [['sluice manual | man -l -', 'the manual page, as man shows it']],
  },
  help: { forms: [], options: [] },
} as const satisfies Record<string, CommandFacts>

export type CommandName = keyof typeof COMMANDS

/** The commands with their facts, in the order of the help. */
export const COMMAND_LIST: readonly (readonly [CommandName, CommandFacts])[] = Object.entries(
  COMMANDS,
) as unknown as readonly (readonly [CommandName, CommandFacts])[]

/** The facts of a command, as the general type. */
export function commandFacts(name: CommandName): CommandFacts {
  return COMMANDS[name]
}

/** The options that a command takes, with the word after it; null: none follows. Pure. */
export function optionsOf(command: CommandName, verb: string | null): readonly OptionName[] {
  const { options, verbs, verbOptions = {} } = commandFacts(command)
  const word = verb ?? verbs?.[0] ?? ''
  return (Object.hasOwn(verbOptions, word) ? verbOptions[word] : undefined) ?? options
}

/** The words after a command with which it takes an option; null: it takes it with all of them. Pure. */
export function verbsWith(command: CommandName, option: OptionName): readonly string[] | null {
  const { verbs = [] } = commandFacts(command)
  const users = verbs.filter((verb) => optionsOf(command, verb).includes(option))
  return users.length === verbs.length ? null : users
}

/** The usage of a command in the form whose next word is `word`, or else in its first form. Pure. */
export function usageOf(command: CommandName, word?: string): string {
  const usages = COMMANDS[command].forms.map(([usage]) => usage)
  const isMeant = (usage: string) => [word, `[${word}]`].includes(usage.split(' ')[1])
  return usages.find((usage) => word !== undefined && isMeant(usage)) ?? usages[0] ?? command
}

/** Whether a word is a command, rather than a file to open the window with. Pure. */
export function isCommand(word: string): word is CommandName {
  return Object.hasOwn(COMMANDS, word)
}
