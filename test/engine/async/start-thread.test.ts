import { once } from 'node:events'
import { mkdir, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { startThread } from '../../../electron/engine/async/start-thread.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

// Windows keeps a folder that a process is in.
test.skipIf(process.platform === 'win32')('starts a thread where the folder of the process is gone', async () => {
  const before = process.cwd()
  onTestFinished(() => process.chdir(before))
  const folder = await tempDir()
  const script = join(folder, 'thread.mjs')
  await writeFile(script, "import { parentPort } from 'node:worker_threads'\nparentPort.postMessage('works')\n")
  await mkdir(join(folder, 'inside'))
  process.chdir(join(folder, 'inside'))
  expect(process.cwd()).toContain('inside')
  await rmdir(join(folder, 'inside'))
  const [message] = (await once(startThread(pathToFileURL(script)), 'message')) as unknown[]
  expect(message).toBe('works')
})
