import { EVENTS } from './events.ts'
import { SUMMARY } from './help.ts'
import { COMMAND_LIST, optionFacts, OPTIONS, optionText, type OptionName } from './option-table.ts'
import { VARIABLES } from './variables.ts'

const EXIT_STATUSES = [
  ['0', 'done, and checked'],
  ['1', 'a person is needed'],
  ['2', 'wrong usage'],
  ['3', 'stopped, and the same command continues: a signal, a full or read-only disk, a server that stayed away'],
] as const

/** The manual page of the given version, for man(7). Pure. */
export function manPage(version: string): string {
  const forms = COMMAND_LIST.flatMap(([, facts]) => facts.forms)
  return [
    `.TH SLUICE 1 "" "Sluice ${roff(version)}" "User Commands"`,
    '.SH NAME',
    'sluice \\- move big files in and out of object storage',
    '.SH SYNOPSIS',
    '.B sluice',
    roff('[<file or folder>…] [sluice://<bucket>/<key>]'),
    ...forms.flatMap(([usage]) => ['.br', '.B sluice', roff(usage)]),
    '.SH DESCRIPTION',
    roff(SUMMARY),
    '.PP',
    roff('Without a command, Sluice opens its window; with files, the sheet to upload them. Commands need no display.'),
    roff('With --safe-mode the window opens with all transfers paused, the demo store off and default settings.'),
    '.PP',
    roff('A command names an object by its key in --bucket, or by s3://<bucket>/<key>, whatever the dialect.'),
    '.PP',
    roff('Ctrl+C lets transfers that are nearly done finish; pressing it again stops at once.'),
    roff('Running the same command again continues where it stopped.'),
    '.SH COMMANDS',
    ...forms.flatMap(([usage, does]) => tagged(usage, does)),
    '.SH OPTIONS',
    ...(Object.keys(OPTIONS) as OptionName[]).flatMap((name) => tagged(optionText(name), optionFacts(name).does)),
    '.SH JSON OUTPUT',
    roff('With --json each line on standard output is one JSON object. Its member “event” says what happened.'),
    roff('Ignore events and members that you don’t know.'),
    ...EVENTS.flatMap(([names, says]) => tagged(names, says)),
    '.PP',
    roff(
      'Lines without “event” list things: ls prints key, sizeBytes, etag and lastModified, or a prefix, or a bucket;',
    ),
    roff(
      'uploads prints key, uploadId and initiated, and uploads parts the list that --parts takes; serve prints its endpoint.',
    ),
    '.SH EXIT STATUS',
    ...EXIT_STATUSES.flatMap(([status, meaning]) => tagged(status, meaning)),
    '.SH ENVIRONMENT',
    ...VARIABLES.flatMap(([names, meaning]) => tagged(names, meaning)),
    '.SH FILES',
    ...tagged('~/.config/Sluice', 'places, settings and transfers of the window; kept when Sluice is removed'),
    ...tagged('~/.local/state/sluice', 'what commands continue from'),
    ...tagged('.<name>.<id>.part, .<name>.<id>.part.json', 'a download under way, beside its target'),
    '.SH EXAMPLES',
    ...COMMAND_LIST.flatMap(([, { examples = [] }]) => examples).flatMap(([line, does]) => tagged(line, does)),
    '',
  ].join('\n')
}

function tagged(term: string, text: string): string[] {
  return ['.TP', `.B ${roff(term)}`, roff(text)]
}

/** Escapes text so that man(7) takes it literally. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replaceAll('’', '\\(cq')
    .replace(/^[.']/, '\\&$&')
}
