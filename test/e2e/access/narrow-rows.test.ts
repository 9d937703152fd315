import { expect, it, onTestFinished } from 'vitest'
import { TRANSFER_ERROR_CODES } from '../../../shared/transfer/transfer-error.ts'
import type { TransferRow, WaitState } from '../../../shared/transfer/transfer.ts'
import { everyState, transferError } from '../../support/fakes/every-state.ts'
import { launchSluice } from '../../support/window/electron-app.ts'
import { shot } from '../../support/window/desk-window.ts'
import { resize, tellRows } from '../../support/window/told-rows.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const PICTURED: ReadonlySet<string> = new Set(['web-page.mov', 'disk-full-4.mov', 'network-1.mov'])
const AGAIN = { retryAtMs: 8.64e15, attempt: 3 } as const
const HOST = 'storage.example.com'
const WAITS: readonly WaitState[] = [
  { reason: 'network', cause: { code: 'connection-lost', host: HOST, httpStatus: null }, ...AGAIN },
  { reason: 'network', cause: { code: 'web-page', host: HOST, httpStatus: null }, ...AGAIN },
  {
    reason: 'proxy',
    cause: { code: 'connection-refused', host: 'proxy.example.com:8080', httpStatus: null },
    ...AGAIN,
  },
  { reason: 'server-busy', cause: { code: 'http-status', host: null, httpStatus: 503 }, ...AGAIN },
  { reason: 'disk-full', ...AGAIN, lackingBytes: 1_204_000_000 },
  { reason: 'state-unwritable', ...AGAIN },
  { reason: 'target-unwritable', ...AGAIN },
  { reason: 'source-missing', ...AGAIN },
  { reason: 'drive-unresponsive', ...AGAIN },
]

/** A row for everything that keeps a transfer from going on, in the order in which the list shows them. */
function stuckRows(): readonly TransferRow[] {
  const [base] = everyState()
  if (base === undefined) throw new Error('No row.')
  // A sheet asks at once what is to become of an earlier upload.
  const codes = TRANSFER_ERROR_CODES.filter((code) => code !== 'earlier-upload')
  const failed = codes.map((code) => ({ status: 'failed', error: transferError(code), word: code }) as const)
  const waiting = WAITS.map((wait, at) => ({ status: 'waiting', wait, word: `${wait.reason}-${String(at)}` }) as const)
  return [...failed, ...waiting].map(({ word, ...stuck }, position) => ({
    ...base,
    ...stuck,
    id: `00000000-0000-4000-8000-${String(position).padStart(12, '0')}`,
    name: `${word}.mov`,
    position,
  }))
}

/** What of the words of the focused row is not seen: cut off, beyond the row, or under a button. */
function unseenOf(row: Element | null): readonly string[] {
  const words = row?.querySelector('[id$="-status"]')
  if (row == null || words == null) return ['no row']
  const name = row.getAttribute('aria-label') ?? ''
  const [box, outer] = [words.getBoundingClientRect(), row.getBoundingClientRect()]
  const found: string[] = []
  if (words.scrollHeight > words.clientHeight || words.scrollWidth > words.clientWidth) found.push(`${name}: cut off`)
  if (box.bottom > outer.bottom || box.right > outer.right || box.left < outer.left)
    found.push(`${name}: beyond its row`)
  for (const button of row.querySelectorAll('button')) {
    const { top, bottom, left, right } = button.getBoundingClientRect()
    const isOver = top < box.bottom && bottom > box.top && left < box.right && right > box.left
    if (isOver) found.push(`${name}: words under “${button.textContent}”`)
    if (right > outer.right || bottom > outer.bottom) found.push(`${name}: “${button.textContent}” beyond its row`)
  }
  return found
}

it('says in full why each transfer doesn’t go on, in a list as narrow as it gets', async () => {
  const sluice = await launchSluice({ userDataDir: await tempDir() })
  onTestFinished(sluice.close)
  const { page } = sluice
  const rows = stuckRows()
  await tellRows(sluice, rows)
  const lastFailed = rows.findLast(({ status }) => status === 'failed')?.name
  const unseen: string[] = []
  for (const [language, size, zoom] of [
    ['en', [640, 480], 2],
    ['en', [900, 1200], 2],
    ['zh-CN', [640, 480], 2],
  ] as const) {
    await page.evaluate((chosen) => window.sluice.invoke('settings:set', { language: chosen }), language)
    await page.locator(`html[lang="${language}"]`).waitFor({ state: 'attached' })
    await resize(sluice, size, zoom)
    await page
      .getByRole('treegrid')
      .getByRole('row')
      .nth(2)
      .click({ position: { x: 60, y: 8 } })
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowDown')
    const seen = new Set<string>()
    for (let step = 0; step < rows.length; step += 1) {
      const name = await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
      seen.add(name)
      const found = await page.evaluate(unseenOf, await page.evaluateHandle(() => document.activeElement))
      unseen.push(...found.map((fault) => `${language}, ${String(size[0])}: ${fault}`))
      if (PICTURED.has(name)) await shot(page, `narrow-rows-${language}-${String(size[0])}-${name}`)
      await page.keyboard.press('ArrowDown')
      // Over the head of the next group.
      if (name === lastFailed) await page.keyboard.press('ArrowDown')
    }
    expect(seen.size, language).toBe(rows.length)
  }
  expect(unseen).toEqual([])
}, 180_000)
