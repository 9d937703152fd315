import { afterEach, expect, it, vi } from 'vitest'
import { Storage } from '../../electron/demo-store/storage/storage.ts'
import { createRandom } from '../simulation/random.ts'
import { atEachCall, nodeFilesOn } from '../support/fakes/node-disk.ts'
import { systemError, type SimulatedDisk } from '../support/fakes/simulated-disk.ts'

const FOLDER = '/demo'
type Files = Readonly<Record<string, (...given: never[]) => unknown>>
const mocked = vi.hoisted((): { files: Files; content: (path: string) => Uint8Array | null } => ({
  files: {},
  content: () => null,
}))

vi.mock('node:fs/promises', () => {
  const names = ['open', 'mkdir', 'stat', 'rename', 'readFile', 'readdir', 'unlink', 'rm', 'copyFile']
  return Object.fromEntries(names.map((name) => [name, (...given: never[]) => mocked.files[name]?.(...given)]))
})

vi.mock('node:fs', () => ({
  async *createReadStream(path: string) {
    await Promise.resolve()
    const content = mocked.content(path)
    if (content === null) throw systemError('ENOENT', path)
    if (content.length > 0) yield Buffer.from(content)
  },
}))

function use(disk: SimulatedDisk): void {
  mocked.files = nodeFilesOn(disk)
  mocked.content = (path) => disk.contentOf(path)
}

afterEach(() => {
  mocked.files = {}
})

/** Stores an object as a request to put one does: content first, then what refers to it. */
async function put(storage: Storage, key: string, text: string): Promise<void> {
  const { contentId, file } = await storage.contents.create()
  await file.writeFile(text)
  await file.sync()
  await file.close()
  const sizeBytes = text.length
  const facts = { key, etag: text, contentType: 'text/plain', lastModifiedMs: 0, sizeBytes }
  const object = { ...facts, contents: [{ contentId, sizeBytes }] }
  await storage.commitContent({ type: 'object-put', bucket: 'demo', object }, contentId)
}

it('has every object that was confirmed, whole, wherever the power goes', async () => {
  const randoms = Array.from({ length: 6 }, (_, seed) => {
    const random = createRandom(seed + 1)
    return () => random.next()
  })
  const texts = ['first', 'second', 'third']
  let confirmed = 0
  const points = await atEachCall(
    FOLDER,
    randoms,
    async (disk) => {
      use(disk)
      confirmed = 0
      const storage = await Storage.open(FOLDER, 0)
      for (const text of texts) {
        await put(storage, text, text)
        confirmed += 1
      }
      await storage.close()
    },
    async ({ disk }, call) => {
      use(disk)
      const storage = await Storage.open(FOLDER, 1)
      for (const [index, text] of texts.entries()) {
        const object = storage.catalog.object('demo', text)
        if (index < confirmed) expect(object, `call ${String(call)}: ${text}`).toBeDefined()
        if (object === undefined) continue
        const content = disk.contentOf(`${FOLDER}/content/${object.contents[0]?.contentId ?? ''}`)
        expect(content?.toString(), `call ${String(call)}: ${text}`).toBe(text)
      }
      await storage.close()
    },
  )
  expect(points).toBeGreaterThan(40)
})
