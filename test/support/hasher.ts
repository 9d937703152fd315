import { readFile } from 'node:fs/promises'
import { transformWithOxc } from 'vite'
import { onTestFinished } from 'vitest'
import type { Hasher } from '../../electron/engine/deps.ts'
import { createHasher } from '../../electron/engine/hash-pool.ts'

/** The real hasher with real threads, closed when the test is over. */
export async function createTestHasher(workers = 1): Promise<Hasher> {
  const hasher = createHasher({ workers, workerUrl: await hashWorkerUrl() })
  onTestFinished(() => hasher.close())
  return hasher
}

/** The thread's entry without its types: Node 20 can't strip them, and the sources are what is under test. */
async function hashWorkerUrl(): Promise<URL> {
  const source = new URL('../../electron/engine/hash-worker.ts', import.meta.url)
  const { code } = await transformWithOxc(await readFile(source, 'utf8'), 'hash-worker.ts')
  return new URL(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)
}
