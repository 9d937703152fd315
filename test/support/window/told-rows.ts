import type { TransferRow } from '../../../shared/transfer/transfer.ts'
import { queueTotals } from '../fakes/transfer-rows.ts'
import type { LaunchedSluice } from './electron-app.ts'

/** Tells the window of rows that main does not have, as long as nothing happens there: any state can be looked at. */
export async function tellRows({ app, page }: Pick<LaunchedSluice, 'app' | 'page'>, rows: readonly TransferRow[]) {
  const reply = await page.evaluate(() => window.sluice.invoke('queue:snapshot', null))
  const seq = reply.ok ? reply.value.seq : 0
  const delta = { seq: seq + 1, added: rows, patched: [], removed: [], totals: queueTotals({ all: rows.length }) }
  await app.evaluate(({ BrowserWindow }, told) => {
    BrowserWindow.getAllWindows()[0]?.webContents.send('queue:delta', told)
  }, delta)
  const [first] = rows
  if (first !== undefined) await page.locator(`[data-id="${first.id}"]`).waitFor()
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
