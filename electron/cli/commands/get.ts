import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseLink, sourceLines } from '../../../shared/place/links.ts'
import type { Command } from '../arguments.ts'
import { hostOfLink, type CommandConnection } from '../connection.ts'
import { CommandError, commandErrorOfFailure } from '../command-error.ts'
import { EXIT } from '../exit-status.ts'
import type { Output } from '../output.ts'
import { readGiven } from '../read-given.ts'
import type { StopSignals } from '../stop-signal.ts'
import { UsageError } from '../usage-error.ts'
import { getOne, type GetOne } from './get-one.ts'

type Get = Extract<Command, { name: 'get' }>

/**
 * Downloads one source, or several, one after another, into a folder. If some of several fail, they are named and the
 * others are downloaded anyway. Throws CommandError, with exit status 1 if any of them needs a person.
 */
export async function get(
  command: Get,
  connection: CommandConnection,
  output: Output,
  stop: StopSignals,
): Promise<void> {
  const { listFile, dest, options } = command
  const sources = listFile === null ? command.sources : await listedSources(listFile, stop.first)
  const [only] = sources
  if (listFile === null && sources.length === 1 && only !== undefined) {
    return getOne({ source: only, dest, options }, connection, output, stop)
  }
  const folder = await folderOf(dest)
  const failed: CommandError[] = []
  for (const source of sources) {
    const failure = await tried({ source, dest: folder, options }, connection, output, stop)
    if (failure === null) continue
    if (stop.first.aborted) throw failure
    failed.push(failure)
    const { code, message, requestId } = failure
    const name = shownSource(source)
    output.aside({ event: 'not-downloaded', source: name, code, message, requestId }, `${name}: ${message}`)
  }
  if (failed.length === 0) return
  const needsPerson = failed.some(({ exitStatus }) => exitStatus !== EXIT.canContinue)
  throw new CommandError(
    'some-failed',
    `${String(failed.length)} of ${String(sources.length)} could not be downloaded.`,
    needsPerson ? EXIT.needsPerson : EXIT.canContinue,
  )
}

async function tried(
  one: GetOne,
  connection: CommandConnection,
  output: Output,
  stop: StopSignals,
): Promise<CommandError | null> {
  try {
    await getOne(one, connection, output, stop)
    return null
  } catch (failure) {
    return commandErrorOfFailure(failure, stop.first, hostOfLink(one.source))
  }
}

/** Reads the sources from a list (`-` for standard input), as the window does. Throws UsageError. */
async function listedSources(path: string, signal: AbortSignal): Promise<readonly string[]> {
  const lines = sourceLines(await readGiven(path, 'the list ', signal))
  if (lines.length === 0) throw new UsageError(`The list ${path === '-' ? 'on standard input' : path} is empty.`)
  return lines.map((line) => {
    const link = parseLink(line)
    return link?.kind === 'link' ? link.url : line
  })
}

/**
 * The folder for several sources, as an absolute path, because the process may change its folder meanwhile: it must
 * exist or end in a slash. Throws UsageError.
 */
async function folderOf(dest: string | null): Promise<string> {
  const folder = `${resolve(dest ?? '.')}/`
  if (dest === null || dest.endsWith('/')) return folder
  const facts = await stat(dest).catch(() => null)
  if (facts?.isDirectory() === true) return folder
  throw new UsageError(`Several sources go into a folder: make ${dest}, or write ${dest}/ to have it created.`)
}

/** A link without its secrets: the sign-in and the query. */
function shownSource(source: string): string {
  if (hostOfLink(source) === null) return source
  const { origin, pathname } = new URL(source)
  return `${origin}${pathname}`
}
