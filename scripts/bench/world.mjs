import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeCertificate } from './servers/certificate.mjs'
import { CLIENTS, findVersions } from './clients/clients.mjs'
import { ofSources } from './machine/app.mjs'
import { findTimer } from './machine/measure.mjs'
import { createScratch } from './machine/scratch.mjs'
import { startServer } from './servers/server.mjs'
import { buildCommit } from './clients/other-commit.mjs'
import { UPLOAD_CLIENTS } from './clients/upload-clients.mjs'
import { writeSmallFiles, writeSmallObjects, writeSource } from './machine/sources.mjs'

/**
 * What every scenario needs: a scratch folder, a server with the sources, and the participants: the installed peers, or
 * another commit of Sluice if `against` names one.
 */
export function createWorld(against) {
  return createScratch('sluice-bench-', makeWorld, against)
}

async function makeWorld(scratch, against) {
  const { folder } = scratch
  const www = join(folder, 'www')
  await mkdir(join(www, 'demo'), { recursive: true })
  const other = against === undefined ? null : await buildCommit(against, scratch)
  const certificate = await makeCertificate(folder)
  const server = await startServer(folder, certificate)
  scratch.onClose(() => server.close())
  const [timer, versions] = await Promise.all([findTimer(), findVersions()])
  const sources = new Map()
  const once = (key, make) => sources.get(key) ?? sources.set(key, make()).get(key)
  let runs = 0
  return {
    certificate,
    server,
    timer,
    versions,
    isAgainstItself: other !== null,
    casts:
      other === null
        ? { downloads: CLIENTS, uploads: UPLOAD_CLIENTS }
        : { downloads: [CLIENTS[0], other.download], uploads: [UPLOAD_CLIENTS[0], other.upload] },
    /** The file of a given size: its path on the server, its local path and its digest. */
    source: (sizeBytes) =>
      once(sizeBytes, async () => {
        const path = `/demo/${sizeBytes}.bin`
        const localPath = join(www, path)
        return { path, localPath, sizeBytes, sha256: await writeSource(localPath, sizeBytes) }
      }),
    smallObjects: (count) => once(`small ${count}`, () => writeSmallObjects(www, `small-${count}`, count)),
    /** A folder of files to upload. */
    smallFiles: (count, sizeBytes) =>
      once(`files ${count} ${sizeBytes}`, () => writeSmallFiles(join(folder, `files-${count}`), count, sizeBytes)),
    /** An empty folder for one run, and a function that removes it. */
    async scratch() {
      runs += 1
      const path = join(folder, `run-${runs}`)
      await mkdir(path)
      return { path, remove: () => rm(path, { recursive: true, force: true }) }
    },
    /** The proxy that the tests also use. */
    async proxy(options) {
      const { startTcpProxy } = await ofSources('test', 'support', 'proxies', 'tcp-proxy.ts')
      return startTcpProxy({ targetPort: server.port, ...options })
    },
  }
}
