import type { IpcMainInvokeEvent } from 'electron'
import { beforeEach, expect, it, vi } from 'vitest'
import { RequestError } from '../../electron/services/requests/request-error.ts'
import { message } from '../../shared/language/message.ts'
import type { TransferErrorInfo } from '../../shared/transfer/transfer-error.ts'
import { serveRequests, type IpcHandlers } from '../../electron/ipc/validated-ipc.ts'
import { createWindowChannel } from '../../electron/ipc/window-channel.ts'
import { DROPPED_PATH } from '../../shared/ipc/dropped-path.ts'
import { IPC_REQUEST_NAMES, type IpcRequestName } from '../../shared/ipc/ipc-contract.ts'

type Listener = (event: IpcMainInvokeEvent, request: unknown) => Promise<unknown>
const { listeners } = vi.hoisted(() => ({ listeners: new Map<string, Listener>() }))
vi.mock('electron', () => ({
  ipcMain: {
    on: (name: string, listener: Listener) => listeners.set(name, listener),
    handle: (name: string, listener: Listener) => listeners.set(name, listener),
  },
}))

type Frame = NonNullable<IpcMainInvokeEvent['senderFrame']>
const ourFrame = { origin: 'app://bundle' } as Frame
const window = { webContents: { mainFrame: ourFrame } } as NonNullable<
  ReturnType<Parameters<typeof createWindowChannel>[0]>
>
const { isTrusted } = createWindowChannel(() => window, 'app://bundle')

const calls: unknown[] = []
const bugs: string[] = []
let answer: () => unknown

beforeEach(() => {
  calls.length = 0
  bugs.length = 0
  answer = () => null
  const handle = (request: unknown): unknown => {
    calls.push(request)
    return answer()
  }
  const onBug = (what: string, error: unknown) => bugs.push(typeof error === 'string' ? `${what}: ${error}` : what)
  serveRequests(Promise.resolve({}), Promise.resolve(handlersOf(handle)), { isTrusted, onBug })
})

function handlersOf(handle: (request: unknown) => unknown): IpcHandlers {
  return Object.fromEntries(IPC_REQUEST_NAMES.map((name) => [name, handle])) as unknown as IpcHandlers
}

function ask(name: IpcRequestName, request: unknown, senderFrame: Frame | null = ourFrame): Promise<unknown> {
  const listener = listeners.get(name)
  return listener?.({ senderFrame } as IpcMainInvokeEvent, request) ?? Promise.reject(new Error('no listener'))
}

it('answers every request of the contract and no other', () => {
  expect([...listeners.keys()].sort()).toEqual([...IPC_REQUEST_NAMES, DROPPED_PATH].sort())
})

it('hands a valid request of our page to its handler', async () => {
  answer = () => 'value'
  expect(await ask('transfers:pause', { ids: 'all' })).toEqual({ ok: true, value: 'value' })
  expect(calls).toEqual([{ ids: 'all' }])
})

it.each([
  ['a frame that is gone', null],
  ['a frame inside our page', { origin: 'app://bundle' } as Frame],
])('refuses %s', async (_what, frame) => {
  expect(await ask('app:info', null, frame)).toMatchObject({ ok: false, error: { code: 'not-allowed' } })
  expect(calls).toEqual([])
})

it('refuses our window once it shows another page', async () => {
  const strayed = { webContents: { mainFrame: { origin: 'https://example.com' } as Frame } } as typeof window
  const channel = createWindowChannel(() => strayed, 'app://bundle')
  expect(channel.isTrusted(strayed.webContents.mainFrame)).toBe(false)
})

it('refuses a request that is not valid in words for people, calls nothing, and logs where it is wrong', async () => {
  const refused = { ok: false, error: { code: 'invalid-request', message: message('services.request.invalid') } }
  expect(await ask('transfers:pause', { ids: ['no id'] })).toEqual(refused)
  expect(await ask('objects:list', { placeId: 'demo', bucket: 'my bucket', prefix: '', marker: null })).toEqual(refused)
  expect(calls).toEqual([])
  expect(bugs).toEqual([
    expect.stringMatching(/^request transfers:pause: not valid: ids/),
    'request objects:list: not valid: bucket (invalid_format)',
  ])
})

it('refuses a request that the parsers can’t compare, like any that is not valid', async () => {
  const odd = { length: { valueOf: 1, toString: 1 } }
  const refused = { ok: false, error: { code: 'invalid-request', message: message('services.request.invalid') } }
  expect(await ask('downloads:relink', { id: odd, url: odd })).toEqual(refused)
  expect(bugs).toEqual(['request downloads:relink: not valid:  (custom)'])
  expect(() => drop(odd)).not.toThrow()
})

it('passes on what is meant for the person', async () => {
  answer = () => {
    throw new RequestError('There is no folder /data.')
  }
  expect(await ask('app:info', null)).toEqual({
    ok: false,
    error: { code: 'failed', message: 'There is no folder /data.' },
  })
  expect(bugs).toEqual([])
})

it('passes on what is in the catalog without wording it: the window may speak another language by then', async () => {
  const found = { code: 'no-such-bucket', detail: '', serviceCode: 'NoSuchBucket', httpStatus: 404, requestId: null }
  const context = { name: '', placeName: 'Studio', bucket: 'media', localPath: '' }
  const error = found as TransferErrorInfo
  for (const why of [message('services.place.same', { name: 'Studio' }), { error, context }]) {
    answer = () => {
      throw new RequestError(why)
    }
    expect(await ask('app:info', null)).toEqual({ ok: false, error: { code: 'failed', message: why } })
  }
})

it('keeps the words of an unforeseen error out of the window and in the log', async () => {
  answer = () => Promise.reject(new Error('key AKIA… at /home/me'))
  expect(await ask('app:info', null)).toEqual({
    ok: false,
    error: { code: 'failed', message: message('services.request.our-bug') },
  })
  expect(bugs).toEqual(['request app:info'])
})

it.each([
  ['ENOSPC', message('services.request.disk-full')],
  ['EROFS', message('services.request.refused-by-system', { code: 'EROFS' })],
])('says what the system refused with %s, and logs it', async (code, why) => {
  answer = () => Promise.reject(Object.assign(new Error(`${code}: write`), { code, syscall: 'write' }))
  expect(await ask('settings:set', {})).toEqual({ ok: false, error: { code: 'failed', message: why } })
  expect(bugs).toEqual(['request settings:set'])
})

const upload = { placeId: 'demo', prefix: '', paths: ['/data/a.mov'] }
const drop = (path: unknown, frame: Frame | null = ourFrame) =>
  listeners.get(DROPPED_PATH)?.({ senderFrame: frame } as IpcMainInvokeEvent, path)
const isRefused = async (request: object = upload) =>
  !((await ask('uploads:enqueue', request)) as { readonly ok: boolean }).ok

it('takes the path of a file that was dropped on our page, and of no other', async () => {
  answer = () => ({ added: 1, skipped: [] })
  expect(await isRefused()).toBe(true)
  void drop('/data/a.mov', { origin: 'app://bundle' } as Frame)
  void drop(['/data/a.mov'])
  void drop('data/a.mov')
  expect(await isRefused()).toBe(true)
  void drop('/data/a.mov')
  expect(await isRefused()).toBe(false)
  expect(await isRefused({ ...upload, paths: ['/data/a.mov', '/data/b.mov'] })).toBe(true)
})

it.each<[IpcRequestName, unknown, unknown]>([
  ['dialogs:choose-files', null, ['/data/a.mov']],
  ['dialogs:choose-folder', { defaultPath: null }, '/data/a.mov'],
  ['files:take', null, { paths: ['/data/a.mov'], missing: [] }],
  ['settings:get', null, { downloadsFolder: '/data/a.mov' }],
  ['app:info', null, { downloadsFolder: '/data/a.mov' }],
  ['places:list', null, [{}, { downloadsFolder: '/data/a.mov' }]],
])('takes a path that %s gave', async (name, request, given) => {
  expect(await isRefused()).toBe(true)
  answer = () => given
  await ask(name, request)
  answer = () => ({ added: 1, skipped: [] })
  expect(await isRefused()).toBe(false)
})

it('answers what the page needs first before the rest is there, and what waited then', async () => {
  let begin = (_handlers: IpcHandlers): void => undefined
  const later = new Promise<IpcHandlers>((resolve) => (begin = resolve))
  const info = { version: 'early' } as Awaited<ReturnType<IpcHandlers['app:info']>>
  serveRequests(Promise.resolve({ 'app:info': () => info }), later, { isTrusted, onBug: (what) => bugs.push(what) })
  const paused = ask('transfers:pause', { ids: 'all' })
  expect(await ask('app:info', null)).toEqual({ ok: true, value: info })
  expect(calls).toEqual([])

  begin(
    handlersOf((request) => {
      calls.push(request)
      return 'later'
    }),
  )
  expect(await paused).toEqual({ ok: true, value: 'later' })
  expect(calls).toEqual([{ ids: 'all' }])
  expect(await ask('app:info', null)).toEqual({ ok: true, value: 'later' })
})

it.each([
  ['the rest', () => Promise.resolve({})],
  ['anything', () => Promise.reject<Partial<IpcHandlers>>(new Error('the list can’t be opened'))],
])('says that it is our bug where %s never comes', async (_name, open) => {
  const first = open()
  const later = Promise.reject<IpcHandlers>(new Error('the list can’t be read'))
  serveRequests(first, later, { isTrusted, onBug: (what) => bugs.push(what) })
  expect(await ask('places:list', null)).toMatchObject({ ok: false, error: { code: 'failed' } })
  expect(bugs).toEqual(['request places:list'])
})
