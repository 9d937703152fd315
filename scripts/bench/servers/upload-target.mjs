import { spawn } from 'node:child_process'
import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { inRoot } from '../../lib/paths.mjs'
import { Failure } from '../../lib/say.mjs'

/** Starts the demo store of this checkout in a separate process, with its content in `folder`. */
export async function startDemoTarget(folder) {
  const argv = [inRoot('out', 'cli.js'), 'serve', '--dir', join(folder, 'store'), '--anonymous', '--json']
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data')
  const target = { kind: 'demo', endpoint: JSON.parse(line).endpoint, bucket: 'demo' }
  return {
    ...target,
    ...requestsTo(target),
    async close() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/**
 * The service that speaks S3 from `SLUICE_BENCH_S3=http://<access key>:<secret key>@<host>:<port>[/<bucket>]`. Null
 * when none is named. Makes the bucket if it is missing.
 */
export async function s3Target(address = process.env.SLUICE_BENCH_S3) {
  if (!address) return null
  const { origin, username, password, pathname } = new URL(address)
  const target = {
    kind: 's3',
    endpoint: origin,
    bucket: pathname.slice(1) || 'sluice-bench',
    accessKey: decodeURIComponent(username),
    secretKey: decodeURIComponent(password),
  }
  const requests = requestsTo(target)
  const made = await requests.ask('PUT', '')
  if (made.status !== 200 && made.status !== 409) throw new Failure(`${origin} did not create a bucket: ${made.status}`)
  return { ...target, ...requests, close: () => Promise.resolve() }
}

/** The same service, reached through a proxy. */
export function through(target, proxy) {
  return proxy === null ? target : { ...target, endpoint: proxy.endpoint }
}

/**
 * The benchmark's own requests to a service. To S3 they use Signature Version 2, the shortest that Ceph accepts.
 */
export function requestsTo({ kind, endpoint, bucket, accessKey, secretKey }) {
  const ask = (method, key, query = '', body = undefined) => {
    const date = new Date().toUTCString()
    const path = `/${bucket}/${key}`
    const toSign = `${method}\n\n\n${date}\n${path}${query === '' ? '' : `?${query}`}`
    const signature = () => createHmac('sha1', secretKey).update(toSign).digest('base64')
    const headers = kind === 'demo' ? {} : { date, authorization: `AWS ${accessKey}:${signature()}` }
    return fetch(`${endpoint}${path}${query === '' ? '' : `?${query}`}`, { method, headers, body })
  }
  return {
    ask,
    async sha256Of(key) {
      const hash = createHash('sha256')
      const answer = await ask('GET', key)
      for await (const block of answer.body ?? []) hash.update(block)
      return hash.digest('hex')
    },
    remove: (key) => ask('DELETE', key),
    /** The ids of unfinished uploads. */
    async uploads() {
      const text = await (await ask('GET', '', 'uploads')).text()
      return [...text.matchAll(/<UploadId>([^<]+)<|"UploadId":\s*"([^"]+)"/g)].map(([, xml, json]) => xml ?? json)
    },
    async abort(key, uploadId) {
      await ask('DELETE', key, `uploadId=${uploadId}`)
    },
  }
}
