import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { threadUrl } from '../../../electron/engine/system/worker-url.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const script = (word: string) =>
  `import { parentPort, workerData } from 'node:worker_threads'\nparentPort.postMessage('${word} ' + workerData)\n`

it('starts the thread that is in the archive, whatever lies beside it', async () => {
  const folder = await tempDir()
  for (const [name, word] of [
    ['app.asar', 'ours'],
    ['app.asar.unpacked', 'planted'],
  ] as const) {
    await mkdir(join(folder, name, 'out'), { recursive: true })
    await writeFile(join(folder, name, 'out', 'thread.js'), script(word))
  }
  const worker = new Worker(await threadUrl(pathToFileURL(join(folder, 'app.asar', 'out', 'thread.js'))), {
    workerData: 1,
  })
  expect(await once(worker, 'message')).toEqual(['ours 1'])
})

it('starts the built file itself where there is no archive', async () => {
  const url = pathToFileURL(join('/', 'sluice', 'out', 'hash-worker.js'))
  expect(await threadUrl(url)).toBe(url)
})
