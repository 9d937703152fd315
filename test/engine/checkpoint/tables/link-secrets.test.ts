import Libsql from 'libsql/promise'
import { copyFile, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  NO_SEALER,
  openRecord,
  sealRecord,
  type Sealer,
} from '../../../../electron/engine/checkpoint/tables/link-secrets.ts'
import { MIGRATIONS } from '../../../../electron/engine/checkpoint/migrations.ts'
import { openCheckpointStore } from '../../../../electron/engine/checkpoint/sqlite-checkpoint-store.ts'
import type { DownloadRecord } from '../../../../electron/engine/core/records.ts'
import { createFakeClock } from '../../../support/fakes/fake-clock.ts'
import { downloadRecord } from '../../../support/fakes/records.ts'
import { tempDir } from '../../../support/tools/temp-dir.ts'

const clock = createFakeClock()
const CANARIES = ['CANARYSIGNATURE', 'CANARYTOKEN', 'CANARYPASSWORD']
const BARE = 'https://media.example/demo/movie.mov'
const SECRET =
  'https://ann:CANARYPASSWORD@media.example/demo/movie.mov?X-Amz-Signature=CANARYSIGNATURE&X-Amz-Security-Token=CANARYTOKEN'
const KEYRING: Sealer = {
  seal: (text) => Buffer.from([...text].reverse().join('')).toString('base64'),
  open: (sealed) => [...Buffer.from(sealed, 'base64').toString()].reverse().join(''),
}
const linked = (changes: Partial<DownloadRecord> = {}) =>
  downloadRecord({ id: 'd', location: { kind: 'link', url: SECRET }, key: BARE, ...changes })

/** Which canaries the files of a folder show now, as after a kill. */
async function leaks(path: string): Promise<readonly string[]> {
  const folder = dirname(path)
  const texts = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'latin1')))
  return CANARIES.filter((canary) => texts.some((text) => text.includes(canary)))
}

async function open(path: string, sealer: Sealer, migrations?: readonly string[]) {
  const store = await openCheckpointStore(path, clock, sealer, migrations)
  onTestFinished(() => store.close())
  return store
}

const urlsOf = async (store: Awaited<ReturnType<typeof open>>) =>
  (await store.load()).records.map(({ location }) => (location.kind === 'link' ? location.url : ''))

describe('The secret of a link', () => {
  it('is in no file while there is a keyring, from the first write to a backup', async () => {
    const path = join(await tempDir(), 'transfers.db')
    const store = await open(path, KEYRING)
    await store.insert([linked()])
    expect(await leaks(path)).toEqual([])
    await store.update('d', { status: 'paused' })
    await store.update('d', { location: { kind: 'link', url: `${SECRET}&again=1` } })
    expect(await leaks(path)).toEqual([])
    await store.close()
    expect(await leaks(path)).toEqual([])
    const newer = await open(path, KEYRING, [...MIGRATIONS, 'CREATE TABLE more (x TEXT) STRICT;'])
    expect(await urlsOf(newer)).toEqual([`${SECRET}&again=1`])
    expect((await readdir(dirname(path))).some((name) => name.endsWith('.bak'))).toBe(true)
    expect(await leaks(path)).toEqual([])
  })

  it.each(['completed', 'canceled'] as const)('is gone from all files once the transfer is %s', async (status) => {
    const path = join(await tempDir(), 'transfers.db')
    const store = await open(path, NO_SEALER)
    await store.insert([linked()])
    await store.update('d', { status })
    expect(await leaks(path)).toEqual([])
    expect(await urlsOf(store)).toEqual([BARE])
  })

  it('is gone from all files once the transfer is removed', async () => {
    const path = join(await tempDir(), 'transfers.db')
    const store = await open(path, NO_SEALER)
    await store.insert([linked()])
    await store.remove(['d'])
    expect(await leaks(path)).toEqual([])
  })

  it('comes back when a transfer that is over is started over, and when it is given a new link', async () => {
    const path = join(await tempDir(), 'transfers.db')
    const store = await open(path, NO_SEALER)
    await store.insert([linked()])
    await store.update('d', { status: 'completed' })
    await store.update('d', { status: 'queued' })
    expect(await urlsOf(store)).toEqual([SECRET])
    await store.update('d', { status: 'canceled' })
    await store.update('d', { location: { kind: 'link', url: `${BARE}?new` } })
    await store.update('d', { status: 'queued', location: { kind: 'link', url: `${BARE}?new` } })
    expect(await urlsOf(store)).toEqual([`${BARE}?new`])
  })

  it('comes back when a transfer that is over could not be removed, and is started over', async () => {
    const path = join(await tempDir(), 'transfers.db')
    const refuse = "CREATE TRIGGER refuse BEFORE DELETE ON transfers BEGIN SELECT RAISE(ABORT, 'no'); END;"
    const store = await open(path, NO_SEALER, [...MIGRATIONS, refuse])
    await store.insert([linked()])
    await store.update('d', { status: 'completed' })
    await expect(store.remove(['d'])).rejects.toThrow()
    await store.update('d', { status: 'queued' })
    expect(await urlsOf(store)).toEqual([SECRET])
  })

  it('is sealed when an earlier version left it in plain text, and stays sealed while it can’t be opened', async () => {
    const path = join(await tempDir(), 'transfers.db')
    const before = await open(path, NO_SEALER)
    await before.insert([linked(), linked({ id: 'e', position: 2, status: 'completed' })])
    await before.close()
    const store = await open(path, KEYRING)
    expect(await urlsOf(store)).toEqual([SECRET, BARE])
    expect(await leaks(path)).toEqual([])
    await store.close()
    const locked = await open(path, NO_SEALER)
    expect((await urlsOf(locked)).map((url) => url.replace(/#.*/, ''))).toEqual([BARE, BARE])
    await locked.update('d', { status: 'failed' })
    await locked.close()
    expect((await urlsOf(await open(path, KEYRING)))[0]).toBe(SECRET)
  })

  it('outlives that its transfer is started over or put back while it can’t be opened', async () => {
    const path = join(await tempDir(), 'transfers.db')
    const before = await open(path, KEYRING)
    await before.insert([linked(), linked({ id: 'e', position: 2 })])
    await before.close()
    const locked = await open(path, NO_SEALER)
    const { records } = await locked.load()
    await locked.update('d', { status: 'canceled' })
    await locked.update('d', { status: 'queued' })
    await locked.remove(['e'])
    await locked.insert(records.filter(({ id }) => id === 'e'))
    await locked.close()
    expect(await urlsOf(await open(path, KEYRING))).toEqual([SECRET, SECRET])
  })
})

it.skipIf(process.platform === 'win32')(
  'The list of transfers, its copies and companions are for its owner alone',
  async () => {
    const path = join(await tempDir(), 'state', 'transfers.db')
    await (await open(path, NO_SEALER)).close()
    await copyFile(path, `${path}.v1.bak`)
    await writeFile(`${path}.damaged-1`, '', { mode: 0o644 })
    const database = new Libsql(path, {}) as { exec(sql: string): Promise<void>; close(): void }
    await database.exec('SELECT 1')
    database.close()
    const store = await open(path, NO_SEALER)
    await store.insert([linked()])
    const names = (await readdir(dirname(path))).filter((name) => name.startsWith(basename(path)))
    expect(names.length).toBeGreaterThan(3)
    for (const name of names) expect((await stat(join(dirname(path), name))).mode & 0o077, name).toBe(0)
    expect((await stat(dirname(path))).mode & 0o077).toBe(0)
  },
)

it('keeps the sign-in of a link beside the sealed query until the transfer is over', () => {
  const location = { kind: 'link', url: SECRET, signIn: 'sealed elsewhere' } as const
  const record = linked({ location })
  const kept = sealRecord(record, KEYRING)
  expect(kept.location).toMatchObject({ signIn: 'sealed elsewhere' })
  expect(openRecord(kept, KEYRING)).toEqual(record)
  expect(sealRecord({ ...record, status: 'completed' }, KEYRING).location).toEqual({ kind: 'link', url: BARE })
})
