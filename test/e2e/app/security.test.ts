import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { IpcRequestName } from '../../../shared/ipc/ipc-contract.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { dropFiles } from '../../support/window/drop-files.ts'
import {
  choosePaths,
  electronExecutable,
  launchSluice,
  sluiceArguments,
  type LaunchedSluice,
} from '../../support/window/electron-app.ts'

let userDataDir: string
let sluice: LaunchedSluice
let server: Server
let origin: string
/** Paths that reached the server: what the window must never cause. */
const seen: string[] = []

beforeAll(async () => {
  userDataDir = await mkdtemp(join(tmpdir(), 'sluice-security-'))
  server = createServer((request, response) => {
    seen.push(request.url ?? '')
    response.setHeader('Access-Control-Allow-Origin', '*').end('reached')
  })
  server.on('upgrade', (request, socket) => {
    seen.push(request.url ?? '')
    socket.destroy()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  origin = `127.0.0.1:${(server.address() as AddressInfo).port}`
  sluice = await launchSluice({ userDataDir })
})

afterAll(async () => {
  await sluice.close()
  server.close()
  await rm(userDataDir, { recursive: true, force: true })
})

it('gives the page no Node and nothing but the bridge', async () => {
  const found = await sluice.page.evaluate(() => ({
    node: ['require', 'process', 'module', 'global', 'Buffer', '__dirname'].filter((name) => name in window),
    bridge: Object.entries(window.sluice).map(([name, value]) => `${name}: ${typeof value}`),
    isBridgeFrozen: Object.isFrozen(window.sluice),
  }))
  expect(found).toEqual({
    node: [],
    bridge: ['invoke: function', 'on: function', 'pathForFile: function'],
    isBridgeFrozen: true,
  })
})

it('keeps the page and the bridge apart', async () => {
  const reply = await sluice.page.evaluate(async () => {
    const { push } = Array.prototype
    Array.prototype.push = () => {
      throw new Error('patched')
    }
    const response = await window.sluice.invoke('places:list', null)
    Array.prototype.push = push
    return response.ok
  })
  expect(reply).toBe(true)
})

it('answers no channel that is not in the contract', async () => {
  const reply = await sluice.page.evaluate(() => window.sluice.invoke('shell:run' as 'app:info', null))
  expect(reply).toEqual({ ok: false, error: { code: 'not-allowed', message: 'No such request.' } })
})

it('refuses a request that is not what the contract says', async () => {
  const reply = await sluice.page.evaluate(() =>
    window.sluice.invoke('uploads:enqueue', { placeId: 'demo', prefix: '', paths: ['relative/path'] }),
  )
  expect(reply).toMatchObject({ ok: false, error: { code: 'invalid-request' } })
})

it('goes nowhere when a page is dropped on it', async () => {
  const file = join(userDataDir, 'page.html')
  await writeFile(file, '<h1>Another page</h1>')
  await dropFiles(sluice.page, [file])
  await sluice.page.getByRole('row', { name: 'page.html' }).waitFor()
  expect(sluice.page.url()).toBe('app://bundle/index.html')
})

it('lets the page name no file and no folder that nobody chose', async () => {
  const folder = userDataDir
  const path = join(folder, 'secret.txt')
  await writeFile(path, 'secret')
  const refused = { ok: false, error: { code: 'invalid-request' } }
  const ask = (name: IpcRequestName, request: unknown) =>
    sluice.page.evaluate(([which, payload]) => window.sluice.invoke(which, payload as never) as Promise<unknown>, [
      name,
      request,
    ] as const)
  const upload = () => ask('uploads:enqueue', { placeId: 'demo', prefix: '', paths: [path] })
  expect(await upload()).toMatchObject(refused)
  const links = { kind: 'links', urls: ['http://127.0.0.1:1/a'] }
  const requests: [IpcRequestName, unknown][] = [
    ['uploads:enqueue-folder', { placeId: 'demo', prefix: '', paths: [folder], onConflict: 'replace' }],
    ['parts-lists:find', { paths: [path] }],
    ['downloads:adopt', { paths: [path] }],
    ['downloads:enqueue', { source: links, directory: folder, onConflict: 'replace' }],
    ['folders:space', { directory: folder }],
    ['settings:set', { downloadsFolder: folder }],
  ]
  for (const [name, request] of requests) expect(await ask(name, request), name).toMatchObject(refused)
  // A file that script made has no path.
  await sluice.page.evaluate((name) => window.sluice.pathForFile(new File(['x'], name)), path)
  expect(await upload()).toMatchObject(refused)
  await choosePaths(sluice, path)
  expect(await upload()).toMatchObject({ ok: true })
})

it('lets the page reach no network', async () => {
  const outcomes = await sluice.page.evaluate(async (host) => {
    const failed = (promise: Promise<unknown>): Promise<boolean> =>
      promise.then(
        () => false,
        () => true,
      )
    const image = (src: string): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const element = new Image()
        element.onload = resolve
        element.onerror = () => {
          reject(new Error('blocked'))
        }
        element.src = src
      })
    const socket = (url: string): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const opened = new WebSocket(url)
        opened.onopen = resolve
        opened.onerror = () => {
          reject(new Error('blocked'))
        }
      })
    return {
      fetch: await failed(fetch(`http://${host}/fetch`)),
      noCors: await failed(fetch(`http://${host}/no-cors`, { mode: 'no-cors' })),
      file: await failed(fetch('file:///etc/hosts')),
      image: await failed(image(`http://${host}/image`)),
      socket: await failed(Promise.resolve().then(() => socket(`ws://${host}/socket`))),
    }
  }, origin)
  expect(outcomes).toMatchObject({ fetch: true, noCors: true, file: true, image: true, socket: true })
  expect(seen).toEqual([])
})

it('stops network requests of the session even without the content security policy', async () => {
  const outcomes = await sluice.app.evaluate(
    ({ session, BrowserWindow }, host) =>
      Promise.all(
        [session.defaultSession, ...BrowserWindow.getAllWindows().map((window) => window.webContents.session)].map(
          (each) =>
            each.fetch(`http://${host}/session`).then(
              () => 'reached',
              () => 'blocked',
            ),
        ),
      ),
    origin,
  )
  expect({ outcomes, seen }).toEqual({ outcomes: ['blocked', 'blocked'], seen: [] })
})

it('keeps nothing of the page on disk', async () => {
  const isPersistent = await sluice.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((window) => window.webContents.session.isPersistent()),
  )
  expect(isPersistent).toEqual([false])
})

it('runs no inline script, no eval and no inline handler', async () => {
  const ran = await sluice.page.evaluate(async () => {
    const marks = window as unknown as Record<string, unknown>
    // What would be script is refused where it is given, or else never runs.
    const given = (give: () => void): string => {
      try {
        give()
        return 'given'
      } catch (error) {
        return error instanceof TypeError ? 'refused' : 'failed'
      }
    }
    const script = document.createElement('script')
    const asScript = given(() => (script.textContent = 'window.ranInline = true'))
    given(() => script.append(document.createTextNode('window.ranInline = true')))
    document.body.append(script)
    const button = document.createElement('button')
    const asHandler = given(() => button.setAttribute('onclick', 'window.ranHandler = true'))
    const asMarkup = given(() => (button.innerHTML = '<b>x</b>'))
    document.body.append(button)
    button.click()
    const link = document.createElement('a')
    link.href = 'javascript:window.ranUrl = true'
    document.body.append(link)
    link.click()
    // In a task of its own: the policy is lifted for the evaluation that this function runs in.
    const evaluated = await new Promise((resolve) => setTimeout(resolve))
      .then(() => (0, eval)('1 + 1') as unknown)
      .then(
        () => 'ran',
        () => 'blocked',
      )
    script.remove()
    button.remove()
    link.remove()
    return {
      given: [asScript, asHandler, asMarkup],
      evaluated,
      inline: marks['ranInline'],
      handler: marks['ranHandler'],
      url: marks['ranUrl'],
    }
  })
  expect(ran).toEqual({
    ...{ given: ['refused', 'refused', 'refused'], evaluated: 'blocked' },
    ...{ inline: undefined, handler: undefined, url: undefined },
  })
})

it('stays on its page and opens no other', async () => {
  const opened = await sluice.page.evaluate((host) => {
    const link = document.createElement('a')
    link.href = `http://${host}/link`
    link.target = '_blank'
    document.body.append(link)
    link.click()
    link.target = ''
    link.click()
    link.remove()
    const form = document.createElement('form')
    form.action = `http://${host}/form`
    document.body.append(form)
    form.submit()
    form.remove()
    location.href = `http://${host}/location`
    return window.open(`http://${host}/open`)
  }, origin)
  const frame = await sluice.page.evaluate(async (host) => {
    const element = document.createElement('iframe')
    element.src = `http://${host}/frame`
    document.body.append(element)
    await new Promise((resolve) => {
      element.onload = resolve
    })
    const html = element.contentDocument?.body.innerHTML ?? 'another origin'
    element.remove()
    return html
  }, origin)
  expect({ opened, url: sluice.page.url(), windows: sluice.app.windows().length, frame, seen }).toEqual({
    opened: null,
    url: 'app://bundle/index.html',
    windows: 1,
    frame: expect.not.stringContaining('reached') as string,
    seen: [],
  })
})

it('gives a frame inside the page no bridge', async () => {
  const found = await sluice.page.evaluate(() => {
    const frame = document.createElement('iframe')
    document.body.append(frame)
    const names = frame.contentWindow === null ? ['no frame'] : ['sluice', 'require', 'process']
    const inside = frame.contentWindow as unknown as Record<string, unknown>
    const there = names.filter((name) => name in inside)
    frame.remove()
    return there
  })
  expect(found).toEqual([])
})

it('answers no window but its own, though it shows the same page with the same bridge', async () => {
  const reply = await sluice.app.evaluate(async ({ app, BrowserWindow }) => {
    const other = new BrowserWindow({
      show: false,
      webPreferences: { preload: `${app.getAppPath()}/out/preload.cjs`, partition: 'page', sandbox: true },
    })
    try {
      await other.loadURL('app://bundle/index.html')
      return (await other.webContents.executeJavaScript(`window.sluice.invoke('places:list', null)`)) as unknown
    } finally {
      other.destroy()
    }
  })
  expect(reply).toMatchObject({ ok: false, error: { code: 'not-allowed' } })
})

it('denies every permission', async () => {
  const states = await sluice.page.evaluate(async () => {
    const denied = (promise: Promise<unknown>): Promise<string> =>
      promise.then(
        () => 'granted',
        () => 'denied',
      )
    return {
      notifications: await Notification.requestPermission(),
      geolocation: await denied(
        new Promise((resolve, reject) => {
          navigator.geolocation.getCurrentPosition(resolve, reject)
        }),
      ),
      media: await denied(navigator.mediaDevices.getUserMedia({ audio: true })),
      clipboard: await denied(navigator.clipboard.readText()),
    }
  })
  expect(states).toEqual({ notifications: 'denied', geolocation: 'denied', media: 'denied', clipboard: 'denied' })
})

it('serves its own files only, with the policy', async () => {
  const responses = await sluice.page.evaluate(async () => {
    const statusOf = (path: string): Promise<number | string> =>
      fetch(path).then(
        (response) => response.status,
        () => 'blocked',
      )
    const index = await fetch('app://bundle/index.html')
    const policy = index.headers.get('content-security-policy')
    const sniff = index.headers.get('x-content-type-options')
    const paths = [
      '/../main.js',
      '/%2e%2e/main.js',
      '/..%2fmain.js',
      '/%5c..%5cmain.js',
      '//etc/hosts',
      '/%',
      '/',
      '/nothing',
    ]
    const statuses = await Promise.all(paths.map((path) => statusOf(`app://bundle${path}`)))
    return { policy, sniff, statuses, otherHost: await statusOf('app://other/index.html') }
  })
  expect(responses.policy).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
      "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-src 'none'; " +
      "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  )
  expect(responses.sniff).toBe('nosniff')
  expect(responses.statuses.filter((status) => typeof status === 'number' && status < 400)).toEqual([])
  expect(responses.otherHost).toBe('blocked')
})

it('keeps the secrets of a place out of the page', async () => {
  const secret = 'do-not-show-this-secret'
  const texts = await sluice.page.evaluate(async (secretAccessKey) => {
    const place = {
      name: 'Studio',
      endpoint: 'http://127.0.0.1:9',
      bucket: 'media',
      dialect: 'storage',
      pathStyle: true,
      scheme: 'STORAGE',
      signature: 'hmac-sha1',
      region: '',
      accessKeyId: 'AK',
      secretAccessKey,
      ...({ profile: '', sessionToken: '', preset: 'storage', color: 'none' } as const),
    } as const
    const added = await window.sluice.invoke('places:add', place)
    const listed = await window.sluice.invoke('places:list', null)
    const objects = await window.sluice.invoke('objects:list', {
      placeId: added.ok ? added.value.id : '',
      prefix: '',
      marker: null,
    })
    if (added.ok) await window.sluice.invoke('places:remove', { id: added.value.id })
    return [JSON.stringify(added), JSON.stringify(listed), JSON.stringify(objects)]
  }, secret)
  expect(texts.filter((text) => text.includes(secret))).toEqual([])
  expect(texts[2]).toContain('services.check.refused')
})

it('locks the web preferences', async () => {
  const preferences = await sluice.app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as { getLastWebPreferences(): object }
    return contents.getLastWebPreferences()
  })
  const on = { contextIsolation: true, sandbox: true, webSecurity: true }
  expect(preferences).toMatchObject({ ...on, nodeIntegration: false, webviewTag: false })
})

it('brings the first window back when it is started again, and the second one leaves', async () => {
  await sluice.app.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.hide()
  })
  const second = spawn(electronExecutable(), [...sluiceArguments(userDataDir), '/etc/hosts'], {
    stdio: 'ignore',
  })
  const [code] = (await once(second, 'exit')) as [number | null]
  await expect
    .poll(() => sluice.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((one) => one.isVisible())))
    .toEqual([true])
  expect(code).toBe(0)
})
