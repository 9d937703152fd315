import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import type { FaultProxy } from '../fault-server/fault-server.ts'
import { animationsEnded } from './animations.ts'
import { launchSluice, type LaunchedSluice } from './electron-app.ts'
import { refusalWords } from '../../../shared/transfer/words/error-words.ts'

/** Opens the app on a bucket behind a proxy, as the place “Studio”. */
export async function openStudio(proxy: Pick<FaultProxy, 'endpoint'>, userDataDir: string): Promise<LaunchedSluice> {
  const sluice = await launchSluice({ userDataDir })
  onTestFinished(sluice.close)
  const { page } = sluice
  await page.evaluate(async (endpoint) => {
    const who = { scheme: 'STORAGE', signature: 'none', region: '', accessKeyId: '', secretAccessKey: '' } as const
    const where = { name: 'Studio', endpoint, bucket: 'demo', dialect: 'storage', pathStyle: true } as const
    const rest = { profile: '', sessionToken: '', preset: 'storage', color: 'none' } as const
    await window.sluice.invoke('places:add', { ...where, ...who, ...rest })
  }, proxy.endpoint)
  await page.reload()
  await page.getByRole('button', { name: 'Studio', exact: true }).waitFor()
  return sluice
}

/** Downloads a link into a folder, which was chosen before, without a sheet. Throws where main refuses it. */
export async function enqueueLink(page: Page, link: string, directory: string): Promise<void> {
  const reply = await page.evaluate(
    ([url, folder]) => {
      const source = { kind: 'links', urls: [url] } as const
      return window.sluice.invoke('downloads:enqueue', { source, directory: folder, onConflict: 'keep-both' })
    },
    [link, directory] as const,
  )
  if (!reply.ok) throw new Error(refusalWords(reply.error.message))
}

export function transferRow(page: Page, name: string): Locator {
  return page.getByRole('treegrid', { name: 'Transfers' }).getByRole('row', { name, exact: true })
}

/** Waits until the text fits. Throws an Error that says what is read instead. */
export async function reads(locator: Locator, text: string | RegExp): Promise<void> {
  try {
    await locator.filter({ hasText: text }).first().waitFor()
  } catch (cause) {
    const shown = await locator.allInnerTexts().catch(() => ['nothing that can be read'])
    throw new Error(`“${String(text)}” was not shown, but: ${JSON.stringify(shown)}`, { cause })
  }
}

/** Keeps a picture of the window for people to look at. */
export async function shot(page: Page, name: string): Promise<void> {
  const folder = join(import.meta.dirname, '../../../out/screenshots')
  await mkdir(folder, { recursive: true })
  // A sheet that still fades in is hard to judge.
  await animationsEnded(page)
  // Of a zoomed page Playwright would show a corner.
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'png' })
  await session.detach()
  await writeFile(join(folder, `${name}.png`), Buffer.from(data, 'base64'))
}
