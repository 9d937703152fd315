import type { Page } from 'playwright-core'

/** Downloads a link into a folder, which was chosen before, without a sheet. Throws where main refuses it. */
export async function enqueueLink(page: Page, link: string, directory: string): Promise<void> {
  const reply = await page.evaluate(
    ([url, folder]) => {
      const source = { kind: 'links', urls: [url] } as const
      return window.sluice.invoke('downloads:enqueue', { source, directory: folder, onConflict: 'keep-both' })
    },
    [link, directory] as const,
  )
  if (!reply.ok) throw new Error(reply.error.message)
}
