import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { openStudio, reads, shot, transferRow } from '../../support/window/desk-window.ts'
import { createDownloadDesk } from '../../support/window/download-desk.ts'
import { dropFiles } from '../../support/window/drop-files.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const OLD = 'what was there'

it('asks once what becomes of objects that have the names of dropped files', async () => {
  const { proxy } = await createDownloadDesk()
  const folder = await tempDir()
  await mkdir(join(folder, 'files'))
  const addressOf = (key: string) => `${proxy.endpoint}/demo/${encodeURIComponent(key)}`
  const textOf = async (key: string) => {
    const answer = await fetch(addressOf(key))
    return answer.ok ? answer.text() : null
  }
  const file = async (name: string, text: string) => {
    await writeFile(join(folder, 'files', name), text)
    return join(folder, 'files', name)
  }
  for (const key of ['one.txt', 'two.txt', 'three.txt', 'four.txt', 'same.txt']) {
    await fetch(addressOf(key), { method: 'PUT', body: OLD })
  }
  const { page } = await openStudio(proxy, join(folder, 'user-data'))
  const sheet = page.getByRole('dialog', { name: 'already exist' })
  const answer = async (paths: readonly string[], choice: string | null) => {
    await dropFiles(page, paths)
    await reads(sheet, basename(paths[0] ?? ''))
    if (choice !== null) await sheet.getByRole('radio', { name: choice, exact: true }).check({ force: true })
    await shot(page, `upload-conflict-${basename(paths[0] ?? '')}`)
    await sheet.getByRole('button', { name: 'Upload' }).click()
    await sheet.waitFor({ state: 'detached' })
  }

  // What is free begins at once; the safe answer is there already.
  await answer([await file('one.txt', 'new one'), await file('free.txt', 'free')], null)
  await reads(transferRow(page, 'one.txt'), 'verified')
  await reads(transferRow(page, 'free.txt'), 'verified')
  expect([await textOf('one.txt'), await textOf('one (1).txt'), await textOf('free.txt')]).toEqual([
    OLD,
    'new one',
    'free',
  ])

  await answer([await file('two.txt', 'new two')], 'Replace')
  await reads(transferRow(page, 'two.txt'), 'verified')
  expect(await textOf('two.txt')).toBe('new two')

  await answer([await file('three.txt', 'new three')], 'Skip')
  await page.getByText('three.txt already exists.').waitFor()
  expect([await textOf('three.txt'), await textOf('three (1).txt')]).toEqual([OLD, null])

  const paths = [await file('four.txt', 'new four'), await file('same.txt', OLD)]
  await answer(paths, 'Keep both')
  await page.getByText('same.txt already exists with the same content.').waitFor()
  await reads(transferRow(page, 'four.txt'), 'verified')
  expect([await textOf('four.txt'), await textOf('four (1).txt'), await textOf('same (1).txt')]).toEqual([
    OLD,
    'new four',
    null,
  ])
  expect(proxy.requests({ method: 'PUT', path: /same/ })).toHaveLength(1)

  // Nothing is uploaded where nobody answers.
  await dropFiles(page, [await file('three.txt', 'newer')])
  await sheet.getByRole('button', { name: 'Cancel' }).click()
  await sheet.waitFor({ state: 'detached' })
  expect(await textOf('three.txt')).toBe(OLD)
})

it('asks, too, where the place does not answer', async () => {
  const { proxy } = await createDownloadDesk()
  const folder = await tempDir()
  const path = join(folder, 'film.mov')
  await writeFile(path, 'new')
  const { page } = await openStudio(proxy, join(folder, 'user-data'))
  const silent = proxy.rule({ when: { method: 'HEAD' }, fault: { kind: 'stall', at: 'request' } })
  await dropFiles(page, [path])
  const sheet = page.getByRole('dialog', { name: 'film.mov may already exist' })
  await reads(sheet, 'Studio isn’t responding, so we can’t tell. Nothing has been uploaded yet.')
  await shot(page, 'upload-conflict-unseen')
  silent.remove()
  await sheet.getByRole('button', { name: 'Upload' }).click()
  await reads(transferRow(page, 'film.mov'), 'verified')
})

it('leaves the sheet open that a person types into, and asks once it is closed', async () => {
  const { proxy } = await createDownloadDesk()
  const folder = await tempDir()
  await fetch(`${proxy.endpoint}/demo/one.txt`, { method: 'PUT', body: OLD })
  const { page } = await openStudio(proxy, join(folder, 'user-data'))
  let answer = (): void => undefined
  const until = new Promise<void>((resolve) => (answer = resolve))
  const asked = { path: 'one.txt', method: 'HEAD' }
  proxy.rule({ when: asked, fault: { kind: 'stall', at: 'request', until } })
  await writeFile(join(folder, 'one.txt'), 'new one')
  await dropFiles(page, [join(folder, 'one.txt')])
  await proxy.seen(asked)
  await page.getByRole('button', { name: 'Add place…' }).first().click()
  const form = page.getByRole('dialog', { name: 'Add place' })
  await form.getByLabel('Name', { exact: true }).fill('Archive')
  answer()
  await proxy.settled()
  // Another drop comes later still.
  await mkdir(join(folder, 'more'))
  await writeFile(join(folder, 'more', 'two.txt'), 'two')
  await dropFiles(page, [join(folder, 'more')])
  await reads(form, 'Add place')
  expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('Archive')
  await form.getByRole('button', { name: 'Cancel' }).click()
  // One after the other, whichever of them the app was through with first.
  const questions = ['already exists', 'Upload more']
  const titles: string[] = []
  while (titles.length < questions.length) {
    const sheet = page.getByRole('dialog', { name: /already exists|Upload more/ })
    const title = await sheet.getByRole('heading', { level: 2 }).innerText()
    titles.push(title)
    await sheet.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog', { name: title, exact: true }).waitFor({ state: 'detached' })
  }
  for (const question of questions) expect(titles.filter((title) => title.includes(question))).toHaveLength(1)
})
