import { link, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { SCENARIOS } from '../scenarios.mjs'
import { sha256Of } from '../machine/sources.mjs'
import { s3Target } from '../servers/upload-target.mjs'

// What the app does while its event loop is watched, each in its own window. `run` gets what `event-loop.mjs` opened,
// and resolves with what went wrong, or null.

const MIB = 1024 * 1024
const MANY = 50
/** The most that the settings allow at a time. */
const MOST_ACTIVE = 16

const plain = { label: 'app: one big file', run: (desk) => fetchBig(desk, desk.world.server.http) }

const tls = {
  label: 'app: one big file, TLS 1.3',
  isThere: ({ server }) => server.https !== null,
  async run(desk) {
    const origin = desk.world.server.https
    await desk.page.evaluate(trustServer, origin)
    return fetchBig(desk, origin)
  },
}

const far = {
  label: 'app: a quarter of it, far away',
  async run(desk) {
    const proxy = await desk.world.proxy(SCENARIOS.find(({ name }) => name === 'far').proxy)
    try {
      return await fetchBig({ ...desk, sizeBytes: Math.ceil(desk.sizeBytes / 4) }, proxy.endpoint)
    } finally {
      await proxy.close()
    }
  },
}

const upload = {
  label: 'app: one big upload to the demo store',
  async run(desk) {
    const source = await desk.world.source(desk.sizeBytes)
    return desk.upload('demo', [source.localPath])
  },
}

const small = {
  label: 'app: a folder of small files to the demo store, and back',
  async run({ world, page, drop, sizeBytes, folder, done }) {
    const count = Math.max(100, Math.round((10_000 * sizeBytes) / (2048 * MIB)))
    const files = await world.smallFiles(count, 4096)
    await drop([files.localPath])
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Upload \d/ })
      .click()
    const failure = await done()
    if (failure !== null) return failure
    const prefixes = [`${files.localPath.split('/').at(-1)}/`]
    await page.evaluate(enqueueDownloads, { source: { kind: 'folders', placeId: 'demo', prefixes }, directory: folder })
    return done()
  },
}

const crowd = {
  label: `app: ${MANY} uploads to the demo store, ${MOST_ACTIVE} at a time`,
  async run(desk) {
    const source = await desk.world.source(Math.ceil(desk.sizeBytes / 32))
    const folder = join(desk.folder, 'crowd')
    await mkdir(folder)
    const paths = Array.from({ length: MANY }, (_, number) => join(folder, `${number}.bin`))
    for (const path of paths) await link(source.localPath, path)
    await desk.page.evaluate(
      (activeTransfers) => globalThis.sluice.invoke('settings:set', { activeTransfers }),
      MOST_ACTIVE,
    )
    return desk.upload('demo', paths)
  },
}

const s3 = {
  label: 'app: one big file to a service that speaks S3, and back',
  isThere: () => Boolean(process.env.SLUICE_BENCH_S3),
  async run(desk) {
    const target = await s3Target()
    const { endpoint, bucket, accessKey, secretKey } = target
    const source = await desk.world.source(desk.sizeBytes)
    const placeId = await desk.page.evaluate(addPlace, { endpoint, bucket, accessKey, secretKey })
    const failure = await desk.upload(placeId, [source.localPath])
    if (failure !== null) return failure
    const key = source.localPath.split('/').at(-1)
    try {
      await desk.page.evaluate(enqueueDownloads, {
        source: { kind: 'objects', placeId, keys: [key] },
        directory: desk.folder,
      })
      return (await desk.done()) ?? (await differs(join(desk.folder, key), source))
    } finally {
      await target.remove(key)
    }
  },
}

export const APP_SCENES = [plain, tls, far, upload, small, crowd, s3]

async function fetchBig({ world, page, folder, sizeBytes, done }, origin) {
  const source = await world.source(sizeBytes)
  await page.evaluate(enqueueDownloads, { source: { kind: 'links', urls: [origin + source.path] }, directory: folder })
  return (await done()) ?? (await differs(join(folder, source.path.split('/').at(-1)), source))
}

async function differs(path, source) {
  return (await sha256Of(path)) === source.sha256 ? null : 'what arrived differs from the source'
}

/** Runs in the window and does what its own sheet would do. */
async function enqueueDownloads(request) {
  const reply = await globalThis.sluice.invoke('downloads:enqueue', { ...request, onConflict: 'keep-both' })
  if (!reply.ok) throw new Error(JSON.stringify(reply))
}

/** Runs in the window and does what the sheet for an untrusted certificate would do. */
async function trustServer(origin) {
  const { value: server } = await globalThis.sluice.invoke('certificates:inspect', { kind: 'origin', origin })
  const { host, port, certificate } = server
  const reply = await globalThis.sluice.invoke('certificates:trust', {
    host,
    port,
    fingerprint: certificate.fingerprint,
  })
  if (!reply.ok) throw new Error(JSON.stringify(reply))
}

/** Runs in the window. */
async function addPlace({ endpoint, bucket, accessKey, secretKey }) {
  const who = { accessKeyId: accessKey, secretAccessKey: secretKey, sessionToken: '', profile: '' }
  const where = { name: 'S3', endpoint, bucket, dialect: 's3', pathStyle: true, region: 'default' }
  const how = { scheme: 'AWS', signature: 'hmac-sha256', preset: 'ceph', color: 'none' }
  const reply = await globalThis.sluice.invoke('places:add', { ...who, ...where, ...how })
  if (!reply.ok) throw new Error(JSON.stringify(reply))
  return reply.value.id
}
