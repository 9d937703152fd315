import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { answerFromBundle, listBundle } from '../../../electron/shell/window/app-protocol.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

vi.mock('electron', () => ({ protocol: {} }))

async function bundle() {
  const folder = await tempDir()
  const out = join(folder, 'renderer')
  await mkdir(join(out, 'assets'), { recursive: true })
  await writeFile(join(folder, 'main.js'), 'secret')
  await writeFile(join(out, 'index.html'), '<p>page</p>')
  await writeFile(join(out, 'assets', 'a b.js'), 'script')
  await writeFile(join(out, 'assets', 'a.map'), 'map')
  await symlink(join(folder, 'main.js'), join(out, 'linked.js'), 'junction')
  return listBundle(out)
}

it('lists the files that it serves, by the path that the page asks for', async () => {
  expect([...(await bundle()).keys()].sort()).toEqual(['/assets/a b.js', '/index.html'])
})

it('serves a file with its type and the policy', async () => {
  const answer = await answerFromBundle(await bundle(), new Request('app://bundle/assets/a%20b.js'))
  expect(await answer.text()).toBe('script')
  expect(Object.fromEntries(answer.headers)).toEqual({
    'content-type': 'text/javascript; charset=utf-8',
    'content-security-policy': expect.stringContaining("default-src 'none'") as string,
    'x-content-type-options': 'nosniff',
  })
})

it.each([
  ['app://bundle/', 404],
  ['app://bundle/main.js', 404],
  ['app://bundle/assets', 404],
  ['app://bundle/../main.js', 404],
  ['app://bundle/%2e%2e/main.js', 404],
  ['app://bundle/..%2fmain.js', 404],
  ['app://bundle/..%5cmain.js', 404],
  ['app://bundle/assets/%2e%2e%2f%2e%2e%2fmain.js', 404],
  ['app://bundle/%252e%252e/main.js', 404],
  ['app://bundle//etc/hosts', 404],
  ['app://bundle/C:/Windows/win.ini', 404],
  ['app://bundle/index.html%00', 404],
  ['app://bundle/linked.js', 404],
  ['app://bundle/%', 400],
  ['app://other/index.html', 400],
])('answers %s with %i', async (url, status) => {
  expect((await answerFromBundle(await bundle(), new Request(url))).status).toBe(status)
})

it('takes nothing but GET', async () => {
  const request = new Request('app://bundle/index.html', { method: 'POST', body: 'x' })
  expect((await answerFromBundle(await bundle(), request)).status).toBe(405)
})
