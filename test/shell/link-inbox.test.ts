import { mkdtempSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { beforeEach, expect, it, vi } from 'vitest'
import { createLinkInbox } from '../../electron/shell/link-inbox.ts'
import { isTooLong, shortened } from '../../electron/shell/long-launch.ts'
import { MAX_OPENED_LINKS } from '../../shared/limits.ts'
import { MAX_LINK_CHARS } from '../../shared/place/links.ts'

const { app, userData } = vi.hoisted(() => ({
  app: { on: (): void => undefined, getAppPath: () => '/app', getPath: () => userData.path },
  userData: { path: '' },
}))
vi.mock('electron', () => ({ app, dialog: {} }))

beforeEach(() => {
  userData.path = mkdtempSync(join(tmpdir(), 'sluice-inbox-'))
})

const photos = Array.from({ length: 1500 }, (_, index) => `A photo of the summer at the sea ${index}.jpg`)

it('keeps every file of a launch, each once', async () => {
  const inbox = createLinkInbox()
  await inbox.add(['sluice', ...photos], '/data')
  await inbox.add(['sluice', ...photos.slice(0, 2), 'one more'], '/data')
  const { missing } = await inbox.takeFiles()
  expect(missing).toEqual([...photos, 'one more'].map((name) => resolve('/data', name)))
  expect(await inbox.takeFiles()).toEqual({ paths: [], missing: [] })
})

it('counts the links that are too many, and keeps one that is too long so far that it can be said', async () => {
  const inbox = createLinkInbox()
  const flood = Array.from({ length: MAX_OPENED_LINKS + 6 }, (_, index) => `sluice://demo/${index}`)
  const long = `sluice://demo/${'a'.repeat(100_000)}`
  await inbox.add(['sluice', long, ...flood], '/data')
  const { links, leftOut } = inbox.take()
  expect(links).toEqual([long.slice(0, MAX_LINK_CHARS + 1), ...flood.slice(0, MAX_OPENED_LINKS - 1)])
  expect(leftOut).toBe(7)
  expect(inbox.take()).toEqual({ links: [], leftOut: 0 })
})

it('takes a launch that came in few words for what it was, once', async () => {
  const launch = { argv: ['sluice', '--no-sandbox', ...photos, 'sluice://demo/key'], folder: '/data' }
  const words = (await shortened(launch, userData.path, '/app')) ?? []
  expect(words.slice(0, 2)).toEqual(['--no-sandbox', '/app'])
  expect(isTooLong({ argv: words, folder: '/data' })).toBe(false)
  const inbox = createLinkInbox()
  // Another copy of the app starts it anywhere.
  await inbox.add(['sluice', ...words], '/')
  await inbox.add(['sluice', ...words], '/')
  expect(inbox.take().links).toEqual(['sluice://demo/key'])
  expect((await inbox.takeFiles()).missing).toEqual(photos.map((name) => resolve('/data', name)))
  expect(await readdir(join(userData.path, 'opened-with'))).toEqual([])
})

it('makes no launch again that is short, or can’t be shortened', async () => {
  expect(await shortened({ argv: ['sluice', 'a.bin'], folder: '/data' }, userData.path, null)).toBeNull()
  const switches = photos.map((name) => `--${name}`)
  expect(await shortened({ argv: ['sluice', ...switches], folder: '/data' }, userData.path, null)).toBeNull()
})

it('reads no list but its own', async () => {
  const inbox = createLinkInbox()
  for (const name of ['../../etc/passwd', '', '00000000-0000-0000-0000-000000000000']) {
    await inbox.add(['sluice', `--opened-with=${name}`], '/data')
  }
  expect(await inbox.takeFiles()).toEqual({ paths: [], missing: [] })
})
