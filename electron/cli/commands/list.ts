import { formatBytes } from '../../../shared/format/format-bytes.ts'
import { createRetryPolicy, limitEmptyPages, PROGRESS_BYTES, uploadPages, withRetry } from '../../engine/index.ts'
import type { Command } from '../arguments.ts'
import { unlessAborted } from '../../async/unless-aborted.ts'
import { addressInPlace, type CommandConnection } from '../connection.ts'
import type { Output } from '../output.ts'
import { commandRetryContext } from '../retry-context.ts'

/** Prints the sub-prefixes and objects directly under a prefix, or the buckets if no prefix and no bucket is given. */
export async function list(
  command: Extract<Command, { name: 'ls' }>,
  connection: CommandConnection,
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  if (command.prefix === '' && !command.options.connection.bucket) return listBuckets(connection, output, signal)
  const { location, key: prefix } = addressInPlace(connection, command.prefix, 'ls takes a prefix, not a link.')
  const store = connection.open(location)
  const retryPolicy = createRetryPolicy(commandRetryContext(signal, output, connection))
  const requireEnd = limitEmptyPages('ListObjects')
  let marker: string | null = null
  do {
    const after: { marker?: string } = marker === null ? {} : { marker }
    const page = await withRetry(retryPolicy, () => store.listObjects({ prefix, delimiter: '/', signal, ...after }))
    retryPolicy.progressed(PROGRESS_BYTES)
    requireEnd(page.objects.length + page.prefixes.length, page.requestId)
    for (const each of page.prefixes) output.result({ prefix: each }, `${''.padStart(10)}  ${''.padEnd(24)}  ${each}`)
    for (const object of page.objects) {
      const text = `${formatBytes(object.sizeBytes).padStart(10)}  ${object.lastModified.padEnd(24)}  ${object.key}`
      output.result({ ...object }, text)
    }
    if (!(await unlessAborted(output.hasReader(), signal))) return
    marker = page.nextMarker
  } while (marker !== null)
}

async function listBuckets(connection: CommandConnection, output: Output, signal: AbortSignal): Promise<void> {
  const buckets = connection.bucketLister()
  const retryPolicy = createRetryPolicy(commandRetryContext(signal, output, connection))
  for (const { name, createdAt } of await withRetry(retryPolicy, () => buckets(signal))) {
    output.result({ bucket: name, createdAt }, `${(createdAt ?? '').padEnd(24)}  ${name}`)
  }
}

/** Prints every unfinished multipart upload of the bucket. */
export async function listUploads(connection: CommandConnection, output: Output, signal: AbortSignal): Promise<void> {
  const store = connection.open(connection.address('').location)
  const retryPolicy = createRetryPolicy(commandRetryContext(signal, output, connection))
  for await (const { uploads } of uploadPages(store, '', signal, (ask) => withRetry(retryPolicy, ask))) {
    retryPolicy.progressed(PROGRESS_BYTES)
    for (const upload of uploads) {
      output.result({ ...upload }, `${(upload.initiated ?? '').padEnd(24)}  ${upload.uploadId}  ${upload.key}`)
    }
    if (!(await unlessAborted(output.hasReader(), signal))) return
  }
}
