import { access, mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { dropFiles } from '../../support/window/drop-files.ts'
import { sha256Of, writeRandomFile } from '../../support/tools/random-file.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { cancelSheet, openApp } from './packages.ts'

const LIMIT = 2 * MIB
/** The schema that 0.1.0 was first built with; what came after it is a table beside. */
const OLDER_SCHEMA = 3

/**
 * Begins an upload and a download with the installed app, kills it, has `upgrade` install the next, and sees both go on
 * to their end.
 */
export async function outlivesUpgrade(upgrade: () => Promise<unknown>): Promise<void> {
  const folder = await tempDir()
  const data = join(folder, 'data')
  const [there, up] = [join(folder, 'down.bin'), join(folder, 'up.bin')]
  const downloads = join(folder, 'downloads')
  await mkdir(downloads)
  for (const path of [there, up]) await writeRandomFile(path, 40 * MIB + 5)

  const old = await openApp('sluice', data)
  await dropFiles(old.page, [there])
  await verified(old.page, 'down.bin', 'Upload')
  await setLimit(old.page, LIMIT)
  // A folder that a person pointed at is one that the page may name.
  await dropFiles(old.page, [downloads])
  await cancelSheet(old.page, /^Upload/, 'downloads')
  await old.page.evaluate(
    (directory) =>
      window.sluice.invoke('downloads:enqueue', {
        source: { kind: 'objects', placeId: 'demo', keys: ['down.bin'] },
        directory,
        onConflict: 'keep-both',
      }),
    downloads,
  )
  await dropFiles(old.page, [up])
  await expect.poll(() => halfDone(old.page)).toEqual(['down.bin', 'up.bin'])
  await old.kill()
  await makeOlder(join(data, 'state', 'transfers.db'))

  await upgrade()
  const { page } = await openApp('sluice', data)
  expect(await halfDone(page)).toEqual(['down.bin', 'up.bin'])
  await setLimit(page, null)
  await verified(page, 'up.bin', 'Upload')
  await verified(page, 'down.bin', 'Download')
  expect(await sha256Of(join(downloads, 'down.bin'))).toBe(await sha256Of(there))
  await access(join(data, 'state', `transfers.db.v${OLDER_SCHEMA}.bak`))
}

/** Names of the unfinished transfers of which something is confirmed. */
export async function halfDone(page: Page): Promise<string[]> {
  const reply = await page.evaluate(() => window.sluice.invoke('queue:snapshot', null))
  const rows = reply.ok ? reply.value.rows : []
  const open = rows.filter(({ confirmedBytes, sizeBytes }) => confirmedBytes > 0 && confirmedBytes < (sizeBytes ?? 0))
  return open.map(({ key }) => key).sort()
}

export async function setLimit(page: Page, limitBytesPerSecond: number | null): Promise<void> {
  await page.evaluate(
    (limit) => window.sluice.invoke('settings:set', { limitBytesPerSecond: limit }),
    limitBytesPerSecond,
  )
}

export async function verified(page: Page, name: string, direction: 'Upload' | 'Download'): Promise<void> {
  const row = page.getByRole('treegrid', { name: 'Transfers' }).getByRole('row', { name, exact: true })
  await row
    .filter({ has: page.getByRole('img', { name: direction }) })
    .filter({ hasText: /verified/ })
    .waitFor()
}

/** Takes back what the last step of the schema added. */
async function makeOlder(path: string): Promise<void> {
  interface Database {
    exec(sql: string): void
    close(): void
  }
  const Libsql = createRequire(import.meta.url)('libsql') as new (path: string) => Database
  const database = new Libsql(path)
  database.exec(`DROP TABLE histories; PRAGMA user_version = ${OLDER_SCHEMA}`)
  database.close()
}
