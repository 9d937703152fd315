import type * as Os from 'node:os'
import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type {
  FileVerdict,
  SmallFile,
  SmallFilesData,
  SmallFilesReply,
  SmallFilesRequest,
} from '../../electron/engine/folders/download/small-files.ts'
import { createRandom } from '../simulation/random.ts'
import { atEachCall, nodeFilesOn, waitingFilesOn } from '../support/fakes/node-disk.ts'
import type { SimulatedDisk } from '../support/fakes/simulated-disk.ts'

const ROOT = '/chosen'
const SCRATCH = `${ROOT}/.sluice-scratch.part`
const MODIFIED_SECONDS = 1_700_000_000

type Calls = Readonly<Record<string, (...given: never[]) => unknown>>
type Done = (failure: unknown) => void
const mocked = vi.hoisted(
  (): {
    waiting: Calls
    files: Calls
    flush: (done: Done) => void
    kernel: string
    thread: unknown
    data: unknown
  } => ({
    ...{ waiting: {}, files: {}, flush: () => undefined, kernel: '', thread: null, data: null },
  }),
)

vi.mock('node:fs', () => {
  const names = ['closeSync', 'futimesSync', 'linkSync', 'lstatSync', 'mkdirSync', 'openSync', 'readdirSync']
  names.push('readFileSync', 'renameSync', 'rmdirSync', 'rmSync', 'unlinkSync', 'writeSync')
  return Object.fromEntries(names.map((name) => [name, (...given: never[]) => mocked.waiting[name]?.(...given)]))
})
vi.mock('node:fs/promises', () => ({
  open: (...given: never[]) => mocked.files['open']?.(...given),
  unlink: (...given: never[]) => mocked.files['unlink']?.(...given),
}))
vi.mock('node:child_process', () => ({
  execFile: (_program: string, _words: readonly string[], done: Done) => mocked.flush(done),
}))
vi.mock('node:os', async (original) => ({
  ...(await original<typeof Os>()),
  release: () => mocked.kernel,
}))
vi.mock('node:worker_threads', () => ({
  get parentPort() {
    return mocked.thread
  },
  get workerData() {
    return mocked.data
  },
}))

afterEach(() => {
  Object.assign(mocked, { waiting: {}, files: {} })
})

/** How a system makes many files durable. */
interface Flushing {
  readonly kernel: string
  readonly hasVolumeFlush: boolean
}

type Asked<Request> = Request extends { readonly id: number } ? Omit<Request, 'id'> : never

type Ask = <Kind extends SmallFilesReply['kind']>(
  request: Asked<SmallFilesRequest>,
  kind: Kind,
) => Promise<Extract<SmallFilesReply, { kind: Kind }>>

/** The thread that puts small files in place, in this one, on a disk. */
async function startThread(disk: SimulatedDisk, data: SmallFilesData, { kernel, hasVolumeFlush }: Flushing) {
  let tell: (request: SmallFilesRequest) => void = () => undefined
  const waits = new Map<number, (reply: SmallFilesReply) => void>()
  Object.assign(mocked, {
    ...{ waiting: waitingFilesOn(disk), files: nodeFilesOn(disk), kernel, data },
    flush(done: Done) {
      try {
        if (!hasVolumeFlush) throw new Error('sync: invalid option -- f')
        disk.syncAll(ROOT)
        done(null)
      } catch (failure) {
        done(failure)
      }
    },
    thread: {
      on: (_event: string, listener: typeof tell) => void (tell = listener),
      postMessage: (reply: SmallFilesReply) => waits.get(reply.id)?.(reply),
    },
  })
  vi.resetModules()
  await import('../../electron/engine/folders/download/small-file-worker.ts')
  let asked = 0
  const ask: Ask = (request) =>
    new Promise((resolve) => {
      asked += 1
      waits.set(asked, resolve as (reply: SmallFilesReply) => void)
      tell({ ...request, id: asked })
    })
  return { ask, share: (memory: number, buffer: SharedArrayBuffer) => tell({ kind: 'share', id: 0, memory, buffer }) }
}

const TEXTS = new Map([
  ['a.txt', 'first'],
  ['sub/deep/b.txt', 'second'],
  ['sub/c.txt', 'third'],
  ['d.txt', 'fourth'],
])
/** Recorded together. */
const GROUPS = [
  ['a.txt', 'sub/deep/b.txt'],
  ['sub/c.txt', 'd.txt'],
]

const md5Of = (text: string) => createHash('md5').update(text).digest('hex')
const numberOf = (path: string) => [...TEXTS.keys()].indexOf(path)

/** Opens the thread as a run of the download does, with all contents in memory. */
async function openRun(disk: SimulatedDisk, flushing: Flushing) {
  const isUnclean = disk.list(ROOT).includes(SCRATCH)
  if (!isUnclean) disk.waiting.mkdir(SCRATCH)
  const { ask, share } = await startThread(disk, { root: ROOT, scratch: SCRATCH, isUnclean }, flushing)
  for (const [path, text] of TEXTS) {
    const memory = new SharedArrayBuffer(text.length)
    new Uint8Array(memory).set(Buffer.from(text))
    share(numberOf(path), memory)
  }
  const fileOf = (path: string, mayReplace: boolean): SmallFile => {
    const text = TEXTS.get(path) ?? ''
    const number = numberOf(path)
    const facts = { sizeBytes: text.length, md5: md5Of(text), modifiedSeconds: MODIFIED_SECONDS }
    return { number, memory: number, path, ...facts, mayReplace }
  }
  return {
    check: async (paths: readonly string[]) =>
      (await ask({ kind: 'check', files: paths.map((path) => ({ ...fileOf(path, false), earlier: null })) }, 'check'))
        .verdicts,
    /** @returns the paths that may be recorded. */
    async keep(paths: readonly string[], verdicts: readonly FileVerdict[] = []) {
      const files = paths.map((path, index) => fileOf(path, verdicts[index] === 'ours'))
      const { results } = await ask({ kind: 'write', files, isUnnamed: false }, 'write')
      const written = paths.filter((_path, index) => results[index]?.kind === 'written')
      const { lost } = await ask({ kind: 'sync', paths: written }, 'sync')
      return written.filter((path) => !lost.includes(path))
    },
    close: () => ask({ kind: 'close', folders: [] }, 'sync'),
  }
}

describe.each<[string, Flushing]>([
  ['where one flush does for the volume', { kernel: '6.1.0-18-amd64', hasVolumeFlush: true }],
  ['where that flush keeps errors to itself', { kernel: '5.4.0-190-generic', hasVolumeFlush: true }],
  ['where each file is flushed', { kernel: '6.1.0-18-amd64', hasVolumeFlush: false }],
])('the small files of a folder, %s', (_how, flushing) => {
  it('are whole once they are recorded, and none is mistaken for another’s, whenever the power fails', async () => {
    const randoms = Array.from({ length: 6 }, (_, seed) => {
      const random = createRandom(seed + 1)
      return () => random.next()
    })
    let recorded: string[] = []
    const points = await atEachCall(
      ROOT,
      randoms,
      async (disk) => {
        recorded = []
        const run = await openRun(disk, flushing)
        for (const group of GROUPS) {
          const kept = await run.keep(group)
          disk.onCall('record', ROOT)
          recorded.push(...kept)
        }
      },
      async ({ disk }, call) => {
        const textOf = (path: string) => disk.contentOf(`${ROOT}/${path}`)?.toString()
        for (const path of recorded) expect(textOf(path), `call ${String(call)}: ${path}`).toBe(TEXTS.get(path))
        const run = await openRun(disk, flushing)
        const rest = [...TEXTS.keys()].filter((path) => !recorded.includes(path))
        const verdicts = await run.check(rest)
        expect(verdicts, `call ${String(call)}`).not.toContain('other')
        const missing = rest.filter((_path, index) => verdicts[index] !== 'equal')
        const kinds = verdicts.filter((verdict) => verdict !== 'equal')
        expect(await run.keep(missing, kinds)).toEqual(missing)
        await run.close()
        for (const [path, text] of TEXTS) expect(textOf(path), `call ${String(call)}: ${path}`).toBe(text)
        expect(disk.list(ROOT)).toEqual(['a.txt', 'd.txt', 'sub'].map((name) => `${ROOT}/${name}`))
      },
    )
    expect(points).toBeGreaterThan(30)
  })
})
