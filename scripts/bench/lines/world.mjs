import { createHash } from 'node:crypto'
import { mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import { buildCommit } from '../clients/other-commit.mjs'
import { createScratch } from '../machine/scratch.mjs'
import { sha256Of, sha256OfFolder, writeSmallFiles, writeSource } from '../machine/sources.mjs'
import { requestsTo, s3Target, startDemoTarget } from '../servers/upload-target.mjs'

/**
 * A scratch folder, a demo store, a service that speaks S3 (the one that SLUICE_BENCH_S3 names, else one from a
 * package) and the files that are moved to and from them.
 * @param against one of our commits that also takes part, as `other`; left out: none.
 */
export function createLinesWorld(against) {
  return createScratch('sluice-lines-', makeWorld, against)
}

async function makeWorld(scratch, against) {
  const { folder } = scratch
  const other = against === undefined ? null : await buildCommit(against, scratch)
  const services = new Map()
  scratch.onClose(() => Promise.allSettled([...services.values()].map(async (service) => (await service).close())))
  const sources = new Map()
  const once = (map, key, make) => map.get(key) ?? map.set(key, make()).get(key)
  const start = async (kind) => withPort(kind === 'demo' ? await startDemoTarget(folder) : await startS3(folder))
  let runs = 0
  return {
    other,
    /** `demo` or `s3`, started when first needed. */
    service: (kind) => once(services, kind, () => start(kind)),
    source: (sizeBytes) => once(sources, sizeBytes, () => makeSource(folder, sizeBytes)),
    photos: (count, sizeBytes) => once(sources, 'photos', () => makePhotos(folder, count, sizeBytes)),
    /** A file of zeros that takes no disk space. */
    sparse: (sizeBytes) => once(sources, `sparse ${sizeBytes}`, () => makeSparse(folder, sizeBytes)),
    async scratch() {
      runs += 1
      const name = `run-${process.pid}-${runs}`
      const path = join(folder, name)
      await mkdir(path)
      return { name, path, remove: () => rm(path, { recursive: true, force: true }) }
    },
  }
}

function withPort(target) {
  return { ...target, port: Number(new URL(target.endpoint).port) }
}

async function startS3(folder) {
  const named = await s3Target()
  if (named !== null) return named
  const options = { address: '127.0.0.1', port: 0, silent: true, vhostBuckets: false }
  const server = new S3rver({ ...options, directory: join(folder, 's3') })
  const { port } = await server.run()
  const target = { endpoint: `http://127.0.0.1:${port}`, bucket: 'sluice-bench' }
  // This service also accepts requests without a key.
  const requests = requestsTo({ ...target, kind: 'demo' })
  await requests.ask('PUT', '')
  return {
    ...{ ...target, ...requests, kind: 's3', accessKey: 'S3RVER', secretKey: 'S3RVER' },
    async close() {
      server.httpServer.closeAllConnections()
      await server.close()
    },
  }
}

async function makeSource(folder, sizeBytes) {
  const path = join(folder, `${sizeBytes}.bin`)
  const sha256 = await writeSource(path, sizeBytes)
  return {
    path,
    sizeBytes,
    stored: storedOnce(async (target) => {
      const key = `source-${sizeBytes}.bin`
      await putFile(target, key, path)
      return key
    }),
    isAt: async ({ target, key, path: arrived }) =>
      sha256 === (target === undefined ? await sha256Of(arrived) : await target.sha256Of(key)),
    remove: (target, key) => target.remove(key),
  }
}

async function makePhotos(folder, count, photoBytes) {
  const path = join(folder, 'photos')
  const { names, digest } = await writeSmallFiles(path, count, photoBytes)
  return {
    path,
    sizeBytes: count * photoBytes,
    stored: storedOnce(async (target) => {
      for (const name of names) await putFile(target, `source-photos/${name}`, join(path, name))
      return 'source-photos/'
    }),
    async isAt({ target, key, path: arrived }) {
      if (target === undefined) return digest === (await sha256OfFolder(arrived))
      const hash = createHash('sha256')
      for (const name of names) hash.update(`${name} ${await target.sha256Of(`${key}photos/${name}`)}\n`)
      return digest === hash.digest('hex')
    },
    async remove(target, key) {
      for (const name of names) await target.remove(`${key}photos/${name}`)
    },
  }
}

async function makeSparse(folder, sizeBytes) {
  const path = join(folder, `zeros-${sizeBytes}.bin`)
  const file = await open(path, 'w')
  await file.truncate(sizeBytes)
  await file.close()
  const stored = storedOnce(async (target) => {
    const key = `zeros-${sizeBytes}.bin`
    await putFile(target, key, path)
    return key
  })
  return { path, sizeBytes, stored }
}

/** Puts something once into each service, without going over the line. */
function storedOnce(put) {
  const keys = new Map()
  return (target) => keys.get(target.kind) ?? keys.set(target.kind, put(target)).get(target.kind)
}

async function putFile(target, key, path) {
  const answer = await target.ask('PUT', key, '', await readFile(path))
  if (!answer.ok) throw new Error(`PUT ${key}: ${answer.status}`)
}
