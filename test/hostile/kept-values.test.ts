import fc from 'fast-check'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createQueueViews } from '../../electron/services/persistence/queue-view.ts'
import { loadSettings } from '../../electron/services/persistence/settings-store.ts'
import { createValueFiles } from '../../electron/services/persistence/value-files.ts'
import { loadNetworkValues } from '../../electron/services/network/network-settings.ts'
import { loadStoredPlaces } from '../../electron/services/places/place-records.ts'
import { loadWindowState } from '../../electron/shell/window/window-state.ts'
import { DEFAULT_PROXY } from '../../shared/ipc/network-requests.ts'
import { DEFAULT_SETTINGS } from '../../shared/settings.ts'
import { memoryValues } from '../support/fakes/named-values.ts'
import { almost, expectNoPollution, hostileJson, hostileText } from '../support/tools/hostile.ts'
import { tempDir } from '../support/tools/temp-dir.ts'

expectNoPollution()

const NETWORK = {
  proxy: { ...DEFAULT_PROXY, mode: 'manual', host: 'proxy' },
  sealedPassword: null,
  authorities: [],
  servers: [],
}
const PLACE = {
  ...{ id: '1b4e28ba-2fa1-4f5a-8c3d-5e8f7a9b0c1d', name: 'Studio', endpoint: 'https://s.example.com', bucket: 'media' },
  ...{ dialect: 's3', pathStyle: true, scheme: 'STORAGE', signature: 'hmac-sha256', region: '', accessKeyId: 'AK' },
  ...{ profile: '', preset: 's3', color: 'none', sealedSecret: null, sealedToken: null },
}
const WINDOW = { bounds: { x: 1, y: 1, width: 800, height: 600 }, isMaximized: false }
const VIEW = { sort: null, collapsed: [], buckets: { studio: 'media' } }

test('settings are ones that can be, whatever their file says', async () => {
  const kept = fc.oneof(
    almost(DEFAULT_SETTINGS),
    almost(NETWORK),
    almost([PLACE]),
    almost(WINDOW),
    almost(VIEW),
    hostileJson,
  )
  await fc.assert(
    fc.asyncProperty(kept, async (value) => {
      const text = (JSON.stringify(value) as string | undefined) ?? ''
      const values = memoryValues()
      for (const name of ['settings', 'network', 'places', 'window', 'queue-view']) await values.put(name, text)
      const settings = (await loadSettings(values)).get()
      expect(Object.keys(settings).sort()).toEqual(Object.keys(DEFAULT_SETTINGS).sort())
      expect(settings.activeTransfers >= 1 && settings.activeTransfers <= 16).toBe(true)
      expect(settings.limitBytesPerSecond ?? 1024).toBeGreaterThanOrEqual(1024)
      const network = (await loadNetworkValues(values)).get()
      expect(['system', 'none', 'manual']).toContain(network.proxy.mode)
      for (const place of (await loadStoredPlaces(values)).all()) {
        expect([URL.canParse(place.endpoint), /[\r\n]/.test(place.accessKeyId)]).toEqual([true, false])
      }
      const window = await loadWindowState(values, [{ x: 0, y: 0, width: 1440, height: 900 }])
      expect((window?.bounds.width ?? 1) >= 1).toBe(true)
      await createQueueViews(values).get()
    }),
    { numRuns: 300, examples: [[[{ ...PLACE, accessKeyId: { length: { toString: {} } } }]]] },
  )
})

test('a file of arbitrary bytes is not read as a value, and is kept next to the new one', async () => {
  const folder = join(await tempDir(), 'values')
  await mkdir(folder)
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        hostileText.map((text) => Buffer.from(text)),
        fc.uint8Array(),
      ),
      async (bytes) => {
        const files = createValueFiles(folder)
        for (const name of ['settings.json', 'settings.json.old']) await writeFile(join(folder, name), bytes)
        expect(await files.getValue('settings')).toBeNull()
        await files.setValue('settings', '{"ours":1}')
        expect(await files.getValue('settings')).toBe('{"ours":1}')
      },
    ),
    { numRuns: 60 },
  )
  expect((await readdir(folder)).sort()).toEqual(['settings.json', 'settings.json.damaged', 'settings.json.old'])
})
