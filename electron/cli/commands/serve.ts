import { startDemoStore } from '../../demo-store/index.ts'
import { errnoCode } from '../../engine/index.ts'
import type { Command } from '../arguments.ts'
import { CommandError } from '../exit-status.ts'
import type { Output } from '../output.ts'

type Serve = Extract<Command, { name: 'serve' }>

/** Runs the embedded object storage service until SIGTERM or SIGINT. */
export async function serve(command: Serve, output: Output, signal: AbortSignal): Promise<void> {
  const store = await startDemoStore({
    directory: command.directory,
    buckets: [command.bucket],
    port: command.port,
    credentials: command.credentials,
  }).catch((failure: unknown) => refuse(failure, command.port))
  if (!signal.aborted) {
    output.result({ endpoint: store.endpoint }, store.endpoint)
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  }
  await store.close()
}

function refuse(failure: unknown, port: number): never {
  const code = errnoCode(failure)
  if (code === 'EADDRINUSE') throw new CommandError('port-taken', `Port ${port} is taken.`)
  throw failure
}
