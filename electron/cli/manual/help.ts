import { CONFLICTS } from '../../../shared/conflict.ts'
import { GIVE_UP_AFTER_SECONDS, GIVE_UP_UNREACHED_SECONDS } from './option-limits.ts'
import {
  COMMAND_LIST,
  commandFacts,
  optionFacts,
  optionText,
  verbsWith,
  type CommandName,
  type OptionName,
} from './option-table.ts'

/** The columns of the help between which explanations stand. */
const EXPLAINED_AT = 42
const WIDTH = 110

/** What Sluice is, in a sentence. */
export const SUMMARY = 'Sluice moves big files in and out of object storage and never loses a byte of progress.'

/** What `sluice --help` prints. */
export const HELP = `${SUMMARY}

${COMMAND_LIST.flatMap(([, { forms }]) => forms.map(formText)).join('\n')}

sluice <command> --help explains the options of one command, with examples.

Sources and targets are keys in --bucket, or name their bucket: s3://<bucket>/<key>.

Connection: --endpoint --bucket --dialect storage|s3 --access-key --region --path-style
            --secret-key-file <path, - for standard input> (--secret-key shows it to other programs)
            --scheme --signature hmac-sha1|hmac-sha256|none --profile <name of ~/.aws>
            or SLUICE_ENDPOINT for --endpoint and so on; with s3, whatever is left out comes from AWS_ACCESS_KEY_ID,
            AWS_PROFILE, AWS_REGION, AWS_ENDPOINT_URL and so on (the manual page names them all)
            HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY are obeyed; SSL_CERT_FILE, NODE_EXTRA_CA_CERTS and
            AWS_CA_BUNDLE name certificates to trust
            --give-up-after <seconds without progress; by default ${GIVE_UP_UNREACHED_SECONDS} if nothing ever answers, else ${GIVE_UP_AFTER_SECONDS}>
Transfers:  --state-dir <dir> --connections <n> --limit-rate <bytes/s, K M G> --overwrite (get)
            --part-size <MiB> (put) --if-exists ${CONFLICTS.join('|')} (put)
All:        --json

Ctrl+C lets transfers that are nearly done finish; pressing it again stops at once.
Running the same command again continues where it stopped. Exit status: 0 done and checked, 1 needs a person,
2 wrong usage, 3 stopped and can be continued (a signal, a full or read-only disk, a server that stayed away).`

/** What `sluice <command> --help` prints: the command's forms and its options. Pure. */
export function helpOf(command: CommandName): string {
  const { forms, options, examples = [] } = commandFacts(command)
  if (forms.length === 0) return HELP
  const lines = options.map((name) => explained(`  ${optionText(name)}`, optionWords(command, name)))
  const blocks = [
    forms.map(formText),
    options.includes('endpoint') ? ADDRESSES : [],
    lines,
    examples.flatMap(([line, does], index) => [...(index === 0 ? ['Examples:'] : []), `  # ${does}`, `  ${line}`]),
  ]
  return blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')
}

/** How objects are named, and what can be left out. */
const ADDRESSES = [
  'A key is in --bucket, or names its bucket: s3://<bucket>/<key>. What is the same every time can be in variables:',
  'SLUICE_ENDPOINT for --endpoint and so on; with s3, also AWS_PROFILE, AWS_REGION and so on (see sluice manual).',
]

function optionWords(command: CommandName, option: OptionName): string {
  const verbs = verbsWith(command, option)
  const { does } = optionFacts(option)
  if (commandFacts(command).optionsWithFile?.includes(option)) return `${does} (with a file)`
  return verbs === null ? does : `${does} (${verbs.join(', ')})`
}

function formText([usage, does]: readonly [string, string]): string {
  return explained(`  sluice ${usage}`, does)
}

/** A word with its explanation beside it, or below if there is no room. */
function explained(start: string, does: string): string {
  const [first = '', ...rest] = linesOf(does, WIDTH - EXPLAINED_AT)
  const indent = ' '.repeat(EXPLAINED_AT)
  const beside = start.length < EXPLAINED_AT ? [start.padEnd(EXPLAINED_AT) + first] : [start, indent + first]
  return [...beside, ...rest.map((line) => indent + line)].join('\n')
}

function linesOf(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`.trimStart()
    if (longer.length > width) lines.push(word)
    else lines[lines.length - 1] = longer
  }
  return lines
}
