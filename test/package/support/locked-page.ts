import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'

/**
 * Asks of the page of a packaged app what `test/e2e/app/security.test.ts` asks of the app before it is packed: no Node,
 * a frozen bridge that frames don't have, no network, no text that becomes markup or code, no other page.
 */
export async function staysLockedDown(page: Page): Promise<void> {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(request.url ?? '')
    response.setHeader('Access-Control-Allow-Origin', '*').end('reached')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  expect(await fetch(`${origin}/by-the-test`).then((answer) => answer.text())).toBe('reached')

  const found = await page.evaluate(async (there) => {
    const isRefused = async (act: () => unknown): Promise<boolean> => {
      try {
        await act()
        return false
      } catch {
        return true
      }
    }
    const frame = document.createElement('iframe')
    document.body.append(frame)
    const inFrame = ['sluice', 'require', 'process'].filter((name) => name in (frame.contentWindow ?? {}))
    frame.remove()
    // In a task of its own: the policy is lifted for the evaluation that this function runs in.
    await new Promise((resolve) => setTimeout(resolve))
    return {
      node: ['require', 'process', 'module', 'Buffer', '__dirname'].filter((name) => name in window),
      inFrame,
      isBridgeFrozen: Object.isFrozen(window.sluice),
      isNetworkRefused: await isRefused(() => fetch(`${there}/fetch`)),
      isMarkupRefused: await isRefused(() => (document.createElement('p').innerHTML = '<b>x</b>')),
      isCodeRefused: await isRefused(() => (0, eval)('1 + 1') as unknown),
      opened: window.open(`${there}/open`),
      permission: await Notification.requestPermission(),
    }
  }, origin)
  expect(found).toEqual({
    ...{ node: [], inFrame: [], isBridgeFrozen: true, isNetworkRefused: true, isMarkupRefused: true },
    ...{ isCodeRefused: true, opened: null, permission: 'denied' },
  })
  expect(seen).toEqual(['/by-the-test'])
}
