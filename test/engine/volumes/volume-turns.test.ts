import type { FileHandle } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { FileSystem } from '../../../electron/engine/core/deps.ts'
import { inVolumeTurns } from '../../../electron/engine/volumes/volume-turns.ts'
import { Volumes } from '../../../electron/engine/volumes/volumes.ts'

/** Node has so many threads for all of them, and for names of hosts. */
const THREADS = 4

const nothing = (): void => undefined
const DEVICES = [
  ['/mnt/nas', 2],
  ['/mnt/films', 3],
  ['/mnt/sound', 4],
  ['/media/me/stick', 5],
  ['/home/me/nas', 6],
] as const
/** What had to happen by itself has happened. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

/** Drives, of which the shares hang once they are told to. A call waits for one of Node's threads, and keeps it to its answer. */
function createDrives() {
  let isAway = false
  let back: () => void = nothing
  let away = Promise.resolve()
  let free = THREADS
  const waiting: (() => void)[] = []
  const call = async <T>(path: string, answer: T): Promise<T> => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    if (isAway && /^\/(mnt|home\/me\/nas)/.test(path)) await away
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
    return answer
  }
  const fileSystem = {
    stat: (path: string) => call(path, { dev: DEVICES.find(([folder]) => path.startsWith(folder))?.[1] ?? 1 }),
    unlink: (path: string) => call(path, undefined),
    open: (path: string) =>
      call(path, { fd: 7, datasync: () => call(path, undefined), writev: () => call(path, { bytesWritten: 1 }) }),
  } as unknown as FileSystem
  return {
    files: inVolumeTurns(fileSystem, new Volumes(fileSystem, '/home/me')),
    freeThreads: () => free,
    leave() {
      isAway = true
      away = new Promise((resolve) => (back = resolve))
    },
    comeBack() {
      isAway = false
      back()
    },
  }
}

const writesTo = (handle: FileHandle): Promise<unknown>[] =>
  Array.from({ length: 10 }, () => handle.writev([new Uint8Array(1)]))

test('a drive that hangs leaves threads for everything else, however many calls wait for it, and is served when it is back', async () => {
  const { files, freeThreads, leave, comeBack } = createDrives()
  const handle = await files.open('/mnt/nas/films/a')
  leave()
  const folders = ['films', 'other', 'third', 'films/new']
  const asked = [
    ...writesTo(handle),
    ...folders.map((folder) => files.unlink(`/mnt/nas/${folder}/b`)),
    handle.datasync(),
  ]
  await settle()
  expect(freeThreads()).toBe(THREADS - 2)
  const elsewhere = await files.open('/home/me/c')
  await Promise.all(writesTo(elsewhere))
  comeBack()
  await Promise.all(asked)
  expect(freeThreads()).toBe(THREADS)
})

test('a share that is mounted in the home folder and hangs holds up no other folder there', async () => {
  const { files, leave, comeBack } = createDrives()
  const handle = await files.open('/home/me/nas/a')
  leave()
  const asked = writesTo(handle)
  await settle()
  await Promise.all(writesTo(await files.open('/home/me/new/c')))
  comeBack()
  await Promise.all(asked)
})

test('several drives that hang leave a thread for the home folder, even together and at once', async () => {
  const { files, freeThreads, leave, comeBack } = createDrives()
  const shares = ['nas', 'films', 'sound'].map((name) => `/mnt/${name}`)
  const handles = await Promise.all(shares.map((share) => files.open(`${share}/a`)))
  leave()
  const asked = [
    ...handles.flatMap(writesTo),
    ...['other', 'third', 'fourth'].flatMap((name) => shares.map((share) => files.unlink(`${share}/${name}/b`))),
  ]
  await settle()
  expect(freeThreads()).toBe(1)
  const elsewhere = await files.open('/home/me/films/c')
  await Promise.all(writesTo(elsewhere))
  comeBack()
  await Promise.all(asked)
  expect(freeThreads()).toBe(THREADS)
})

test('one drive that hangs leaves other drives a turn, also for folders that nobody has looked at', async () => {
  const { files, leave, comeBack } = createDrives()
  const handle = await files.open('/mnt/nas/films/a')
  leave()
  const asked = [...writesTo(handle), ...['b', 'c'].map((name) => files.unlink(`/mnt/nas/${name}/a`))]
  await settle()
  const stick = await files.open('/media/me/stick/new/a')
  await Promise.all(writesTo(stick))
  comeBack()
  await Promise.all(asked)
})

test('an opened file keeps the members that don’t call the file system', async () => {
  const { files } = createDrives()
  const handle = await files.open('/home/me/c')
  expect(handle.fd).toBe(7)
})

test('a call that fails rejects, and passes its turn on', async () => {
  const refused = Object.assign(new Error('gone'), { code: 'ENOENT' })
  const fileSystem = {
    stat: (path: string) => (path === '/gone' ? Promise.reject(refused) : Promise.resolve({ dev: 1 })),
    unlink: () => Promise.reject(refused),
  } as unknown as FileSystem
  const files = inVolumeTurns(fileSystem, new Volumes(fileSystem, '/home/me'))
  const paths = ['/gone/a', '/there/a']
  const asked = Array.from({ length: 10 }, () => paths.map((path) => files.unlink(path))).flat()
  expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(asked.map(() => 'rejected'))
})
