import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { transferRow as fakeRow } from '../../support/fakes/transfer-rows.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { reads, shot, transferRow } from '../../support/window/desk-window.ts'
import { launchSluice } from '../../support/window/electron-app.ts'
import { patchRow, resize, tellRows } from '../../support/window/told-rows.ts'

it('tells all of what a transfer waits for, which its row may cut off, and stops once it goes on', async () => {
  const sluice = await launchSluice({ userDataDir: join(await tempDir(), 'user-data') })
  onTestFinished(sluice.close)
  const { page } = sluice
  const cause = { code: 'connection-refused', host: '127.0.0.1:1', httpStatus: null } as const
  const wait = { reason: 'network', cause, retryAtMs: Date.now() + 3_600_000, attempt: 9 } as const
  const film = fakeRow({ id: randomUUID(), name: 'film.mov', status: 'waiting', sizeBytes: 1e9, wait })
  const localPath = '/Volumes/A drive/film.mov'
  const away = fakeRow({
    ...{ id: randomUUID(), name: 'away.mov', status: 'waiting', localPath },
    wait: { reason: 'drive-unresponsive', retryAtMs: null, attempt: 1 },
  })
  await tellRows(sluice, [film, away])
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  await transferRow(page, 'film.mov').click()
  await reads(inspector, /Can’t reach Demo store: connection refused · trying again in (1:00:00|59:\d\d)/)
  await inspector.getByRole('button', { name: 'Try now' }).waitFor()
  await shot(page, 'inspector-waiting')
  await transferRow(page, 'away.mov').click()
  const why = 'The drive with “A drive” isn’t responding · continues when it does'
  await reads(inspector, why)
  await patchRow(sluice, { id: away.id, status: 'transferring', wait: null })
  await inspector.getByText(why).waitFor({ state: 'detached' })
})

it('keeps its button in its place while facts come and go', async () => {
  const sluice = await launchSluice({ userDataDir: join(await tempDir(), 'user-data') })
  onTestFinished(sluice.close)
  const { page } = sluice
  const film = fakeRow({ id: randomUUID(), name: 'film.mov', status: 'preparing', sizeBytes: null })
  await tellRows(sluice, [film])
  await transferRow(page, 'film.mov').click()
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  const button = inspector.getByRole('button', { name: 'Copy details' })
  for (const size of [[1080, 900] as const, [1080, 420] as const]) {
    await resize(sluice, size)
    await inspector.getByText('Added').waitFor()
    const before = await button.boundingBox()
    await patchRow(sluice, { id: film.id, status: 'transferring', sizeBytes: 1e9, unitsTotal: 60, activeMs: 4000 })
    await inspector.getByText('Active for').waitFor()
    expect(await button.boundingBox()).toEqual(before)
    const wait = { reason: 'server-busy', retryAtMs: null, attempt: 1 } as const
    await patchRow(sluice, { id: film.id, status: 'waiting', wait, limitBytesPerSecond: 1e6 })
    await inspector.getByText('Server busy').waitFor()
    await shot(page, `inspector-foot-${String(size[1])}`)
    expect(await button.boundingBox()).toEqual(before)
    const calm = { status: 'preparing', wait: null, limitBytesPerSecond: null, activeMs: 0, unitsTotal: 0 } as const
    await patchRow(sluice, { id: film.id, ...calm, sizeBytes: null })
    await inspector.getByText('Active for').waitFor({ state: 'detached' })
  }
})
