import type { Page } from 'playwright-core'
import { createTotalsKeeper } from '../../../electron/engine/queue/rows/queue-totals.ts'
import type { TransferPatch } from '../../../shared/transfer/transfer-delta.ts'
import type { TransferDetails, TransferRow } from '../../../shared/transfer/transfer.ts'
import type { LaunchedSluice } from './electron-app.ts'

/** Number of the last delta that a window was told of in main's name. */
const toldSeqs = new WeakMap<Page, number>()

/**
 * Tells the window of rows that main does not have, as long as nothing happens there, `instead` of some that it was
 * told of before: any state can be looked at.
 */
export async function tellRows(
  { app, page }: Pick<LaunchedSluice, 'app' | 'page'>,
  rows: readonly TransferRow[],
  { instead = [] }: { readonly instead?: readonly TransferRow[] } = {},
) {
  const reply = await page.evaluate(() => window.sluice.invoke('queue:snapshot', null))
  const seq = Math.max(reply.ok ? reply.value.seq : 0, toldSeqs.get(page) ?? 0) + 1
  toldSeqs.set(page, seq)
  const keeper = createTotalsKeeper()
  for (const row of rows) keeper.replace(null, row)
  const delta = {
    seq,
    added: rows,
    patched: [],
    removed: instead.map(({ id }) => id),
    totals: keeper.totals(),
  }
  await app.evaluate(({ BrowserWindow }, told) => {
    BrowserWindow.getAllWindows()[0]?.webContents.send('queue:delta', told)
  }, delta)
  const [first] = rows
  if (first !== undefined) await page.locator(`[data-id="${first.id}"]`).waitFor()
}

/** Tells the window what changed in a row that it was told of. */
export async function patchRow(
  { app, page }: Pick<LaunchedSluice, 'app' | 'page'>,
  patch: TransferPatch,
): Promise<void> {
  const seq = (toldSeqs.get(page) ?? 0) + 1
  toldSeqs.set(page, seq)
  const delta = { seq, added: [], patched: [patch], removed: [], totals: createTotalsKeeper().totals() }
  await app.evaluate(({ BrowserWindow }, told) => {
    BrowserWindow.getAllWindows()[0]?.webContents.send('queue:delta', told)
  }, delta)
}

/** Tells it what its inspector shows of the selected row. */
export async function tellDetails({ app }: Pick<LaunchedSluice, 'app'>, details: TransferDetails): Promise<void> {
  await app.evaluate(({ BrowserWindow }, told) => {
    BrowserWindow.getAllWindows()[0]?.webContents.send('queue:details', told)
  }, details)
}

/** Makes the window so many pixels of the screen wide and high, at a zoom. */
export async function resize(
  { app, page }: Pick<LaunchedSluice, 'app' | 'page'>,
  [width, height]: readonly [number, number],
  zoom = 1,
): Promise<void> {
  await app.evaluate(
    ({ BrowserWindow }, [wide, high, factor]) => {
      const [window] = BrowserWindow.getAllWindows()
      window?.setMinimumSize(200, 200)
      window?.setContentSize(wide, high)
      window?.webContents.setZoomFactor(factor)
    },
    [width, height, zoom] as const,
  )
  await page.waitForFunction((wide) => Math.abs(window.innerWidth - wide) < 3, Math.round(width / zoom))
}
