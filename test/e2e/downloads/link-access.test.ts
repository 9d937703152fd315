import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import type { Settings } from '../../../shared/settings.ts'
import { rangeOf, type Fault, type SeenRequest } from '../../support/fault-server/fault-rules.ts'
import { giveObject, startObject } from '../../support/servers/object-server.ts'
import { startScript } from '../../support/servers/scripted-server.ts'
import { canary, findCanaries, hasCanary } from '../../support/tools/canaries.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { reads, shot, transferRow } from '../../support/window/desk-window.ts'
import { createDownloadDesk } from '../../support/window/download-desk.ts'
import { choosePaths, launchSluice, type LaunchedSluice } from '../../support/window/electron-app.ts'
import { useKeyring } from '../../support/window/keyring.ts'
import { sha256, sha256OfFile } from '../../support/worlds/download-fixture.ts'

/** The app with a keyring, which downloads into `target`, one connection at a time. */
async function launchOn(userDataDir: string, target: string, changes: Partial<Settings> = {}): Promise<LaunchedSluice> {
  const sluice = await launchSluice({ userDataDir })
  await useKeyring(sluice.app, true)
  await choosePaths(sluice, target)
  const settings = { downloadsFolder: target, connectionsPerTransfer: 1, limitBytesPerSecond: null, ...changes }
  await sluice.page.evaluate((wanted) => window.sluice.invoke('settings:set', wanted), settings)
  await sluice.page.reload()
  await sluice.page.getByRole('button', { name: 'Demo store', exact: true }).waitFor()
  return sluice
}

/** Types links as a person does, up to the sheet that says what they lead to. */
async function typeLinks(page: Page, links: readonly string[]) {
  await page.getByRole('button', { name: 'Download…' }).first().click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('tab', { name: 'Link or path' }).click()
  await sheet.getByLabel('Links or paths').fill(links.join('\n'))
  await sheet.getByRole('button', { name: 'Continue', exact: true }).click()
  return sheet
}

it('signs in to the host of a link alone, and goes on after a restart without asking', async () => {
  const folder = await tempDir()
  const [userDataDir, target] = [join(folder, 'user-data'), join(folder, 'downloads')]
  await mkdir(target)
  const content = randomBytes(24 * MIB)
  const secrets = { 'link password': canary('password') }
  const password = secrets['link password']
  const authorization = `Basic ${Buffer.from(`ann:${password}`).toString('base64')}`
  const give = giveObject(content)
  const elsewhere = await startObject(content)
  const server = await startScript([
    (request) => {
      if (request.headers.authorization !== authorization) return { status: 401 }
      const location = `${elsewhere.endpoint}/there.mov`
      return request.url === '/moved.mov' ? { status: 302, headers: { location } } : give(request)
    },
  ])
  const linkTo = (path: string) =>
    `${server.endpoint.replace('://', `://ann:${encodeURIComponent(password)}@`)}/${path}`
  const secretsShown = async (page: Page) => hasCanary(secrets, await page.content())

  const first = await launchOn(userDataDir, target, { limitBytesPerSecond: 100_000 })
  const sheet = await typeLinks(first.page, [linkTo('film.mov')])
  await sheet.getByText(`${new URL(server.endpoint).host} · signs in as ann`).waitFor()
  await sheet.getByText('25.2 MB', { exact: true }).waitFor()
  expect(await secretsShown(first.page)).toEqual([])
  await shot(first.page, 'link-sign-in')
  await sheet.getByRole('button', { name: 'Download', exact: true }).click()
  const begun = transferRow(first.page, 'film.mov')
  await reads(begun, /[1-9][\d.]* ([kM]B )?of 25\.2 MB/)
  await begun.getByRole('button', { name: 'Pause' }).click()
  await reads(begun, /Paused · /)
  await begun.click()
  await first.page.getByRole('complementary', { name: 'Inspector' }).getByText('film.mov').first().waitFor()
  expect(await secretsShown(first.page)).toEqual([])
  await first.close()
  const seen: string[] = []
  expect(await findCanaries(secrets, [folder], seen)).toEqual([])
  for (const kind of [/transfers\.db$/, /\.part$/]) expect(seen.some((path) => kind.test(path))).toBe(true)

  const before = server.requests.length
  const second = await launchOn(userDataDir, target)
  onTestFinished(second.close)
  const { page } = second
  const film = transferRow(page, 'film.mov')
  await film.getByRole('button', { name: 'Resume' }).click()
  await reads(film, /verified|checked/i)
  expect(await sha256OfFile(join(target, 'film.mov'))).toBe(sha256(content))
  // What was there is not fetched again.
  const ranges = server.requests.slice(before).map(({ headers }) => headers.range)
  expect(ranges.filter((range) => range === undefined || /^bytes=0-/.test(range))).toEqual([])

  const more = await typeLinks(page, [linkTo('moved.mov')])
  await more.getByRole('button', { name: 'Download', exact: true }).click()
  await reads(transferRow(page, 'moved.mov'), /verified|checked/i)
  expect(await sha256OfFile(join(target, 'moved.mov'))).toBe(sha256(content))
  expect(new Set(server.requests.map(({ headers }) => headers.authorization))).toEqual(new Set([authorization]))
  expect(new Set(elsewhere.requests.map(({ headers }) => headers.authorization))).toEqual(new Set([undefined]))
  expect(await secretsShown(page)).toEqual([])
  await page.evaluate(() => window.sluice.invoke('transfers:remove', { ids: 'all' }))
  await second.close()
  expect(await findCanaries(secrets, [folder])).toEqual([])
})

const EXPIRED: Fault = {
  kind: 'response',
  status: 403,
  body: '<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>',
}
/** The sheet that says what a link leads to asks for the byte before this one alone. */
const PAST_LOOK = 1
const refusal = (status: number): Fault => ({ kind: 'response', status })

it('takes a new link for one that is refused, gone or expired, and keeps what was downloaded', async () => {
  const desk = await createDownloadDesk()
  const { host } = new URL(desk.proxy.endpoint)
  const bytes = randomBytes(6 * MIB)
  const cases = [
    ['a.mov', refusal(401), `${host} refused the link (401): it needs a sign-in, or it has expired.`],
    ['b.mov', refusal(403), `${host} refused the link (403). It may have expired.`],
    ['c.mov', refusal(404), `${host} has nothing at this link (404).`],
    ['d.mov', EXPIRED, 'The link has expired. What was downloaded is kept.'],
  ] as const
  const old = { signature: 'old' }
  for (const [name, fault] of cases) {
    await desk.put(name, bytes)
    const breaks = { kind: 'close', at: { responseBytes: 4 * MIB } } as const
    desk.proxy.rule({ when: { path: name, query: old, covers: PAST_LOOK }, fault: breaks })
    const isRest = (request: SeenRequest) => (rangeOf(request)?.first ?? 0) > 0
    desk.proxy.rule({ when: { path: name, query: old, test: isRest }, fault })
  }
  await desk.put('e.mov', bytes)
  desk.proxy.rule({ when: { path: 'e.mov', query: old, covers: PAST_LOOK }, fault: EXPIRED })
  const { page, close } = await launchOn(await tempDir(), desk.target)
  onTestFinished(close)
  const names = [...cases.map(([name]) => name), 'e.mov']
  const sheet = await typeLinks(
    page,
    names.map((name) => desk.link(name, '?signature=old')),
  )
  await sheet.getByRole('button', { name: 'Download 5 items' }).click()
  for (const [name, , words] of cases) await reads(transferRow(page, name), words)
  // Nothing of it came that could be kept.
  await reads(transferRow(page, 'e.mov'), 'The link has expired.')
  expect(await transferRow(page, 'e.mov').innerText()).not.toContain('is kept')
  await shot(page, 'links-refused')

  for (const name of names) {
    await transferRow(page, name).getByRole('button', { name: 'Paste new link…' }).click()
    const relink = page.getByRole('dialog', { name: `New link for ${name}` })
    await relink.getByLabel('Link', { exact: true }).fill(desk.link(name, '?signature=new'))
    await relink.getByRole('button', { name: 'Continue download' }).click()
    await relink.waitFor({ state: 'detached' })
    await reads(transferRow(page, name), 'verified')
    expect(await sha256OfFile(join(desk.target, name))).toBe(sha256(bytes))
  }
  // What was there is not fetched again.
  const fetched = desk.proxy.requests({ query: { signature: 'new' } }).filter(({ url }) => !url.includes('e.mov'))
  expect(fetched.filter((request) => (rangeOf(request)?.first ?? 0) === 0)).toEqual([])
})
