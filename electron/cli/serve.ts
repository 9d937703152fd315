import { startDemoStore } from '../demo-store/index.ts'
import type { Command } from './arguments.ts'
import type { Output } from './output.ts'

/** Runs the embedded object storage service until SIGTERM or SIGINT. */
export async function serve(command: Extract<Command, { name: 'serve' }>, output: Output): Promise<void> {
  const store = await startDemoStore({
    directory: command.directory,
    buckets: [command.bucket],
    port: command.port,
    credentials: command.credentials,
  })
  output.result({ endpoint: store.endpoint }, store.endpoint)
  await new Promise<void>((resolve) => {
    process.once('SIGTERM', () => resolve())
    process.once('SIGINT', () => resolve())
  })
  await store.close()
}
