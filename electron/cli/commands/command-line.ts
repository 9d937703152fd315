// The command line: reads arguments and environment and runs one command, under Node or in the app's own program.

import { setFlagsFromString } from 'node:v8'
import packageFacts from '../../../package.json' with { type: 'json' }
import { parseCommand, secretKeyFile, type Command } from '../arguments.ts'
import { hostOfLink, openCommandConnection } from '../connection.ts'
import { CommandError, commandErrorOfFailure, systemWords } from '../command-error.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { withHint } from '../failure-hint.ts'
import { get } from './get.ts'
import { completionsFor } from '../manual/completions.ts'
import { HELP, helpOf } from '../manual/help.ts'
import { manPage } from '../manual/man-page.ts'
import { list, listUploads } from './list.ts'
import { createOutput, type Output } from '../output.ts'
import { put } from './put.ts'
import { createStopSignals, type StopSignals } from '../stop-signal.ts'
import { report } from './report.ts'
import { withSecretKey } from './secret-key.ts'
import { serve } from './serve.ts'
import { takeAddressApart } from './upload-address.ts'
import { abortUpload, complete, finishUpload, printParts } from './uploads.ts'

/** Their results are items of a list, between which a script expects nothing else. */
const LISTS: readonly Command['name'][] = ['ls', 'uploads-list', 'uploads-parts']

/** The interval of a timer that only keeps the process alive, so it fires rarely (milliseconds). */
const AWAKE_MS = 3_600_000

/** Runs the command in `argv`. Resolves with the exit status; failures are reported on standard error. */
export async function runCommandLine(argv: readonly string[]): Promise<ExitStatus> {
  // By default V8's heap grows to several times what is in use: 50 MiB more for a folder of 100,000 objects.
  setFlagsFromString('--heap-growing-percent=30')
  const output = createOutput(argv.includes('--json'), process.stdout, process.stderr)
  const stop = createStopSignals()
  // Idle connections and timers don't keep Node alive: it would end with status 13 while the main module awaits them.
  const awake = setInterval(() => undefined, AWAKE_MS)
  let host: string | null = null
  try {
    const environment = await withSecretKey(process.env, secretKeyFile(argv), stop.first)
    const command = parseCommand(argv, environment)
    if (command.name === 'get') host = hostOfLink(command.sources[0] ?? '')
    await runCommand(command, output, stop)
    const cutBy = await output.written()
    if (cutBy !== null) throw new CommandError('output-cut', `Can’t write the results: ${systemWords(cutBy)}.`)
    return EXIT.done
  } catch (failure) {
    const error = commandErrorOfFailure(failure, stop.first, host)
    output.failure(
      { event: 'failed', code: error.code, message: error.message, requestId: error.requestId, ...error.dispute },
      error.message,
    )
    await output.written()
    return error.exitStatus
  } finally {
    clearInterval(awake)
    stop.handBack()
  }
}

/** Runs a parsed command. Throws what it meets. */
export async function runCommand(given: Command, output: Output, stop: StopSignals): Promise<void> {
  const signal = stop.first
  const command = given.name === 'complete' ? takeAddressApart(given) : given
  if (command.name === 'help') {
    const help = command.of === null ? HELP : helpOf(command.of)
    return output.page({ help }, help)
  }
  if (command.name === 'version') return output.page({ version: packageFacts.version }, packageFacts.version)
  if (command.name === 'completion') {
    const script = completionsFor(command.shell)
    return output.page({ completion: script }, script)
  }
  if (command.name === 'manual') {
    const manual = manPage(packageFacts.version)
    return output.page({ manual }, manual)
  }
  if (command.name === 'report') return report(command.stateDir, process.env, output)
  if (command.name === 'serve') return serve(command, output, signal)
  if (LISTS.includes(command.name)) output.listsItems()
  const connection = await openCommandConnection(
    command.options.connection,
    command.options.giveUpAfterMs,
    process.env,
    output,
    signal,
  )
  try {
    switch (command.name) {
      case 'get':
        return await get(command, connection, output, stop)
      case 'put':
        return await put(command, connection, output, stop)
      case 'complete':
        return await complete(command, connection, output, stop)
      case 'uploads-list':
        return await listUploads(connection, output, signal)
      case 'uploads-finish':
        return await finishUpload(command, connection, output, stop)
      case 'uploads-parts':
        return await printParts(command, connection, output, signal)
      case 'uploads-abort':
        return await abortUpload(command, connection, output, signal)
      case 'ls':
        return await list(command, connection, output, signal)
    }
  } catch (failure) {
    // What is wrong with a link has nothing to do with the options for a service.
    const isLink = command.name === 'get' && hostOfLink(command.sources[0] ?? '') !== null
    throw isLink ? failure : await withHint(failure, connection, signal)
  } finally {
    await connection.close()
  }
}
