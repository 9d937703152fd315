import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { launchSluice } from '../../support/window/electron-app.ts'
import { startBuckets } from '../../support/servers/s3-buckets.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

/** Whether a text is anywhere in what the page's JavaScript still holds. */
async function isHeld(page: Page, text: string): Promise<boolean> {
  const session = await page.context().newCDPSession(page)
  const chunks: string[] = []
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk))
  // What is garbage is collected before the picture is taken.
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  await session.detach()
  return chunks.join('').includes(text)
}

it('holds a secret in its field alone, and nowhere once the form is closed', async () => {
  const [secret, token] = [`secret-${randomUUID()}`, `token-${randomUUID()}`]
  const { endpoint } = await startBuckets({ accessKeyId: 'AK', secretAccessKey: secret, region: 'us-east-1' })
  const { page, close } = await launchSluice({ userDataDir: await tempDir() })
  onTestFinished(close)
  const form = page.getByRole('dialog')
  for (const end of ['Save', 'Cancel']) {
    await page.getByRole('button', { name: 'Add place' }).first().click()
    await form.getByRole('button', { name: /Service$/ }).click()
    await page.getByRole('option', { name: 'MinIO' }).click()
    await form.getByLabel('Endpoint').fill(endpoint)
    await form.getByLabel('Access key ID').fill('AK')
    await form.getByRole('button', { name: 'Advanced' }).click()
    // Typed as by a person: nothing of the test's own holds it in the page.
    await form.getByLabel('Session token').focus()
    await page.keyboard.insertText(token)
    await form.getByLabel('Secret key').focus()
    await page.keyboard.insertText(secret)
    await form.getByRole('button', { name: 'Test' }).click()
    await form.getByText('2 buckets').waitFor()
    expect([await isHeld(page, secret), await isHeld(page, token)]).toEqual([true, true])
    await form.getByRole('button', { name: end, exact: true }).click()
    await form.waitFor({ state: 'detached' })
    expect([await isHeld(page, secret), await isHeld(page, token)]).toEqual([false, false])
  }
})

it('holds the password of a proxy no longer than its form', async () => {
  const password = `password-${randomUUID()}`
  const { page, close } = await launchSluice({ userDataDir: await tempDir() })
  onTestFinished(close)
  const sheet = page.getByRole('dialog')
  await page.keyboard.press('ControlOrMeta+,')
  await sheet.getByRole('tab', { name: 'Network' }).click()
  await sheet.getByText('Manual').click()
  await sheet.getByLabel('Host', { exact: true }).fill('proxy.example.com')
  await sheet.getByLabel('User name').fill('ann')
  await sheet.getByLabel('Password').focus()
  await page.keyboard.insertText(password)
  // The other tab is part of the same form.
  await sheet.getByRole('tab', { name: 'Transfers' }).click()
  await sheet.getByRole('button', { name: 'Save' }).click()
  await sheet.waitFor({ state: 'detached' })
  const state = await page.evaluate(() => window.sluice.invoke('network:get', null))
  expect(state).toMatchObject({ ok: true, value: { hasPassword: true, proxy: { host: 'proxy.example.com' } } })
  expect(await isHeld(page, password)).toBe(false)
})
