import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createSystemClock, openCheckpointStore } from '../../../electron/engine/index.ts'
import { downloadRecord, uploadRecord } from '../../support/fakes/records.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { reads, shot } from '../../support/window/desk-window.ts'
import { launchSluice } from '../../support/window/electron-app.ts'

const DONE = 12_000

/** A list in which what needs a person, and what is paused, came last. */
async function fillList(userDataDir: string, sourcePath: string): Promise<void> {
  const store = await openCheckpointStore(join(userDataDir, 'state', 'transfers.db'), createSystemClock())
  const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
  const location = { kind: 'place', placeId: 'demo', bucket: 'demo' } as const
  const done = Array.from({ length: DONE }, (_, number) => {
    const facts = { location, key: `${String(number)}.bin`, position: number + 1, finishedAtMs: number + 1 }
    return downloadRecord({ id: idOf(number), ...facts, status: 'completed', targetPath: join(userDataDir, facts.key) })
  })
  const paused = uploadRecord({
    id: idOf(DONE),
    key: 'late.mov',
    location,
    position: DONE + 1,
    status: 'paused',
    sourcePath,
  })
  await store.insert([...done, paused])
  await store.close()
}

it('opens a long list on what is not done, and carries out what is asked while the rest is read', async () => {
  const folder = await tempDir()
  const userDataDir = join(folder, 'user-data')
  await fillList(userDataDir, join(folder, 'late.mov'))
  const { page, close } = await launchSluice({ userDataDir })
  onTestFinished(close)
  const row = page.getByRole('row', { name: /^late\.mov/ })
  await row.waitFor()
  await shot(page, 'long-list')
  // Its file is gone: it can only have been started.
  await page.evaluate(
    async (id) => {
      await window.sluice.invoke('transfers:resume', { ids: [id] })
    },
    (await row.getAttribute('data-id')) ?? '',
  )
  await reads(page.getByRole('navigation', { name: 'Sidebar' }).getByRole('button', { name: /^Needs you/ }), '1')
  await reads(page.getByRole('navigation', { name: 'Sidebar' }).getByRole('button', { name: /^Done/ }), '12,000')
  await page.waitForFunction(
    (count) => document.querySelector('[role="treegrid"]')?.getAttribute('aria-rowcount') === String(count),
    DONE + 4,
  )
  expect(await page.getByRole('row', { name: /^11999\.bin/ }).isVisible()).toBe(true)
})
