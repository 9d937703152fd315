import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256Of, sha256OfFolder, writeSmallFiles, writeSource } from '../sources.mjs'
import { startDemoTarget } from '../upload-target.mjs'

/** A scratch folder, a demo store and what is moved to it and from it. */
export async function createLinesWorld() {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'sluice-lines-')))
  const store = await startDemoTarget(folder)
  const sources = new Map()
  const once = (key, make) => sources.get(key) ?? sources.set(key, make()).get(key)
  let runs = 0
  return {
    store: { ...store, port: Number(new URL(store.endpoint).port) },
    source: (sizeBytes) => once(sizeBytes, () => makeSource(folder, sizeBytes)),
    photos: (count, sizeBytes) => once('photos', () => makePhotos(folder, count, sizeBytes)),
    async scratch() {
      runs += 1
      const name = `run-${runs}`
      const path = join(folder, name)
      await mkdir(path)
      return { name, path, remove: () => rm(path, { recursive: true, force: true }) }
    },
    async close() {
      await store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function makeSource(folder, sizeBytes) {
  const path = join(folder, `${sizeBytes}.bin`)
  const sha256 = await writeSource(path, sizeBytes)
  let storing
  return {
    path,
    sizeBytes,
    stored(store) {
      const key = `source-${sizeBytes}.bin`
      return (storing ??= putFile(store, key, path).then(() => key))
    },
    isAt: async ({ store, key, path: arrived }) =>
      sha256 === (store === undefined ? await sha256Of(arrived) : await store.sha256Of(key)),
  }
}

async function makePhotos(folder, count, photoBytes) {
  const path = join(folder, 'photos')
  const { names, digest } = await writeSmallFiles(path, count, photoBytes)
  let storing
  return {
    path,
    sizeBytes: count * photoBytes,
    stored(store) {
      const putAll = async () => {
        for (const name of names) await putFile(store, `source-photos/${name}`, join(path, name))
        return 'source-photos/'
      }
      return (storing ??= putAll())
    },
    async isAt({ store, key, path: arrived }) {
      if (store === undefined) return digest === (await sha256OfFolder(arrived))
      const hash = createHash('sha256')
      for (const name of names) hash.update(`${name} ${await store.sha256Of(`${key}photos/${name}`)}\n`)
      return digest === hash.digest('hex')
    },
  }
}

/** Not over the line. */
async function putFile({ endpoint, bucket }, key, path) {
  const answer = await fetch(`${endpoint}/${bucket}/${key}`, { method: 'PUT', body: await readFile(path) })
  if (!answer.ok) throw new Error(`PUT ${key}: ${answer.status}`)
}
