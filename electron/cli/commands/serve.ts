import * as fileSystem from 'node:fs/promises'
import { resolve } from 'node:path'
import { JournalDamaged, startDemoStore } from '../../demo-store/index.ts'
import { errnoCode, makeFolders } from '../../engine/index.ts'
import type { Command } from '../arguments.ts'
import { CommandError } from '../command-error.ts'
import type { Output } from '../output.ts'

type Serve = Extract<Command, { name: 'serve' }>

/** Runs the embedded object storage service until SIGTERM or SIGINT. */
export async function serve(command: Serve, output: Output, signal: AbortSignal): Promise<void> {
  await makeFolders(fileSystem, resolve(command.directory), 0o700)
  const store = await startDemoStore({
    directory: command.directory,
    buckets: [command.bucket],
    port: command.port,
    credentials: command.credentials,
  }).catch((failure: unknown) => refuse(failure, command))
  const { endpoint, movedAside } = store
  if (!signal.aborted) output.result({ endpoint }, endpoint)
  if (movedAside !== null) {
    const text = `Files that the journal doesn’t list were moved to ${movedAside}.`
    output.aside({ event: 'moved-aside', path: movedAside }, text)
  }
  if (!signal.aborted) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  }
  await store.close()
}

function refuse(failure: unknown, { directory, port }: Serve): never {
  const code = errnoCode(failure)
  if (code === 'EACCES' || code === 'EPERM') {
    throw new CommandError('not-permitted', `Can’t serve ${directory} at port ${String(port)}: permission denied.`)
  }
  if (code === 'EADDRINUSE') throw new CommandError('port-taken', `Port ${port} is taken.`)
  if (failure instanceof JournalDamaged) throw new CommandError('journal-damaged', failure.message)
  throw failure
}
