import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/**
 * A scratch folder that is removed when the test is over. The helpers of a window that was killed write into its
 * folder for a moment longer than it lived itself.
 */
export async function tempDir(): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'sluice-test-')))
  onTestFinished(() => rm(path, { recursive: true, force: true, maxRetries: 10 }))
  return path
}
