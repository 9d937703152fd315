import { EventEmitter, once } from 'node:events'
import * as net from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startDemoStore } from '../../../electron/demo-store/index.ts'
import { CREDENTIALS } from '../../stores/support/open-store.ts'
import { startRaw } from '../../support/servers/scripted-server.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { shot } from '../../support/window/desk-window.ts'
import { launchSluice } from '../../support/window/electron-app.ts'

/** The form of a new place, filled in, of a service that is slow: it answers what was asked so far when it is let. */
async function openForm() {
  const folder = await tempDir()
  const store = await startDemoStore({
    directory: join(folder, 'store'),
    buckets: ['media', 'mirror'],
    credentials: CREDENTIALS,
  })
  onTestFinished(() => store.close())
  const asked = new EventEmitter()
  const held: (() => void)[] = []
  let isHeld = true
  const { endpoint } = await startRaw((client) => {
    const answer = () => {
      const onward = net.connect({ host: '127.0.0.1', port: Number(new URL(store.endpoint).port) })
      for (const [one, other] of [[client, onward] as const, [onward, client] as const]) {
        one.on('error', () => undefined).once('close', () => other.destroy())
        one.pipe(other)
      }
    }
    if (!isHeld) return answer()
    held.push(answer)
    asked.emit('connection')
  })
  const { page, close } = await launchSluice({ userDataDir: join(folder, 'user-data') })
  onTestFinished(close)
  const form = page.getByRole('dialog')
  const bucket = form.getByLabel('Bucket', { exact: true })
  const fill = async () => {
    await page.getByRole('button', { name: 'Add place' }).first().click()
    await form.getByRole('button', { name: /Service$/ }).click()
    await page.getByRole('option', { name: 'Object Storage Service' }).click()
    await form.getByLabel('Name', { exact: true }).fill('Studio')
    await bucket.fill('media')
    await form.getByLabel('Endpoint').fill(endpoint)
    await form.getByLabel('Access key ID').fill(CREDENTIALS.accessKeyId)
    await form.getByLabel('Secret key').fill(CREDENTIALS.secretAccessKey)
  }
  await fill()
  const begin = async (name: 'Test' | 'Save') => {
    const isAsked = once(asked, 'connection')
    await form.getByRole('button', { name, exact: true }).click()
    await isAsked
  }
  const answer = () => {
    isHeld = false
    for (const go of held.splice(0)) go()
  }
  /** The buckets of the places that were added. */
  const saved = async () => {
    const places = await page.evaluate(() => window.sluice.invoke('places:list', null))
    return places.ok ? places.value.filter(({ name }) => name === 'Studio').map((place) => place.bucket) : null
  }
  return { page, form, bucket, fill, begin, answer, saved }
}

it('keeps what is typed while a place is tested', async () => {
  const { form, bucket, begin, answer } = await openForm()
  await begin('Test')
  await bucket.fill('mirror')
  answer()
  await form.getByText('The fields changed during the test. Test again.').waitFor()
  expect(await bucket.inputValue()).toBe('mirror')
  expect(await form.getByRole('status').count()).toBe(0)
})

it('saves nothing that was changed while it was tested, and the rest when it is sent again', async () => {
  const { page, form, bucket, begin, answer, saved } = await openForm()
  await begin('Save')
  await bucket.fill('mirror')
  answer()
  await form.getByText('The fields changed during the test, so nothing is saved yet. Save again.').waitFor()
  await shot(page, 'place-changed-while-tested')
  expect(await bucket.inputValue()).toBe('mirror')
  expect(await saved()).toEqual([])
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  await form.waitFor({ state: 'detached' })
  expect(await saved()).toEqual(['mirror'])
})

it('saves nothing of a form that was closed while it was tested', async () => {
  const { form, fill, begin, answer, saved } = await openForm()
  await begin('Save')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await form.waitFor({ state: 'detached' })
  answer()
  // Another test, that begins after the answers to the first, takes as long.
  await fill()
  await form.getByRole('button', { name: 'Test', exact: true }).click()
  await form.getByRole('status').waitFor()
  expect(await saved()).toEqual([])
})
