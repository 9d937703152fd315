import { createReadStream, readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { extname, join, normalize } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { etagOf } from '../machine/sources.mjs'

// Replaces nginx on machines without it: serves files, single ranges, If-Match and the pages of ListObjects.

const { www, ports, certificate } = JSON.parse(process.argv[2])
const CONTENT_TYPES = { '.html': 'text/html', '.json': 'application/json' }

createServer(answer).listen(ports.plain, '127.0.0.1')
if (certificate !== null) {
  const options = { key: readFileSync(certificate.keyFile), cert: readFileSync(certificate.certFile) }
  createTlsServer({ ...options, minVersion: 'TLSv1.3' }, answer).listen(ports.tls, '127.0.0.1')
}
process.once('SIGTERM', () => process.exit())

async function answer(request, response) {
  try {
    const path = pathOf(request.url)
    const facts = await stat(path)
    if (!facts.isFile()) return refuse(response, 404)
    await send(request, response, path, facts)
  } catch (error) {
    if (!response.headersSent) refuse(response, error.code === 'ENOENT' ? 404 : 500)
    else response.destroy()
  }
}

function pathOf(target) {
  const [path, query = ''] = target.split('?')
  if (path === '/demo/') {
    const given = (name) =>
      query
        .split('&')
        .find((each) => each.startsWith(`${name}=`))
        ?.slice(name.length + 1) ?? ''
    return join(www, 'listing', `${given('prefix')}${given('marker')}.json`)
  }
  return join(www, normalize(decodeURIComponent(path.endsWith('/') ? `${path}index.html` : path)))
}

async function send({ method, headers }, response, path, facts) {
  const etag = etagOf(facts)
  const wanted = headers['if-match']
  if (wanted !== undefined && wanted !== '*' && wanted !== etag) return refuse(response, 412)
  const range = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '')
  const first = Number(range?.[1] ?? 0)
  const last = range?.[2] ? Math.min(Number(range[2]), facts.size - 1) : facts.size - 1
  if (range !== null && first > last) {
    return refuse(response, 416, { 'Content-Range': `bytes */${facts.size}` })
  }
  response.writeHead(range === null ? 200 : 206, {
    'Content-Type': CONTENT_TYPES[extname(path)] ?? 'application/octet-stream',
    'Content-Length': last - first + 1,
    'Last-Modified': facts.mtime.toUTCString(),
    'Accept-Ranges': 'bytes',
    ETag: etag,
    ...(range === null ? {} : { 'Content-Range': `bytes ${first}-${last}/${facts.size}` }),
  })
  if (method === 'HEAD' || facts.size === 0) response.end()
  else await pipeline(createReadStream(path, { start: first, end: last, highWaterMark: 1024 * 1024 }), response)
}

function refuse(response, status, headers = {}) {
  response.writeHead(status, { 'Content-Length': 0, ...headers }).end()
}
