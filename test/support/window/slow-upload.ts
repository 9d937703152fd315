import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { reads, transferRow } from './desk-window.ts'
import { dropFiles } from './drop-files.ts'

/** At its limit it is under way for most of a minute, and the first of its parts for little more than a second. */
const FILM_BYTES = 200_000_000
const LIMIT_BYTES_PER_SECOND = 4_000_000

/** Makes a file of zeros, which takes no time and no room on the disk. */
export async function makeHollowFile(path: string, sizeBytes: number): Promise<void> {
  const file = await open(path, 'w')
  try {
    await file.truncate(sizeBytes)
  } finally {
    await file.close()
  }
}

/** Makes `film.mov` and drops it on the window. @returns its row, once the first part has arrived. */
export async function uploadSlowly(page: Page, folder: string): Promise<Locator> {
  await page.evaluate(
    (limitBytesPerSecond) => window.sluice.invoke('settings:set', { limitBytesPerSecond }),
    LIMIT_BYTES_PER_SECOND,
  )
  const path = join(folder, 'film.mov')
  await makeHollowFile(path, FILM_BYTES)
  await dropFiles(page, [path])
  const row = transferRow(page, 'film.mov')
  await reads(row, /[1-9][\d.]* of 200 MB/)
  return row
}
