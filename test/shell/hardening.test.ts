import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')

/** Lines of our sources that hold `pattern`, as file names. */
async function filesWith(pattern: RegExp): Promise<readonly string[]> {
  const found: string[] = []
  for (const folder of ['electron', 'renderer', 'shared']) {
    const names = await readdir(join(ROOT, folder), { recursive: true })
    for (const name of names.filter((each) => /\.(tsx?|html)$/.test(each))) {
      if (pattern.test(await readFile(join(ROOT, folder, name), 'utf8'))) found.push(`${folder}/${name}`)
    }
  }
  return found
}

it.each([
  ['certificates are checked', /setCertificateVerifyProc|NODE_TLS_REJECT|certificate-error/],
  [
    'no browser lock is opened',
    /webSecurity: false|contextIsolation: false|sandbox: false|bypassCSP|enableBlinkFeatures/,
  ],
  ['no Node gets into a page', /nodeIntegration\w*: true|webviewTag: true/],
  ['nothing is opened outside', /openExternal/],
  ['no text becomes markup', /dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML|document\.write/],
  ['no text becomes code', /\beval\(|new Function\(|executeJavaScript/],
  ['the policy has no holes', /unsafe-(inline|eval)/],
])('%s', async (_rule, pattern) => {
  expect(await filesWith(pattern)).toEqual([])
})

it.each([
  ['a pinned certificate is taken', /rejectUnauthorized/, 'electron/stores/network/trust.ts'],
  ['requests come in', /\bipcMain\b/, 'electron/ipc/validated-ipc.ts'],
  ['a page is loaded', /\.loadURL\(|\.loadFile\(/, 'electron/shell/window/window.ts'],
  ['the page gets something', /exposeInMainWorld/, 'electron/preload.ts'],
  ['files are opened', /openPath/, 'electron/shell/desktop.ts'],
])('there is one place where %s', async (_what, pattern, place) => {
  expect(await filesWith(pattern)).toEqual([place])
})

it('two places reveal a file: that of a row, and the log', async () => {
  expect([...(await filesWith(/showItemInFolder/))].sort()).toEqual([
    'electron/shell/desk/desk.ts',
    'electron/shell/desktop.ts',
  ])
})
