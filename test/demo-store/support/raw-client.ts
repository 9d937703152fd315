import { createHmac } from 'node:crypto'
import { Agent, request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'

export const ACCESS_KEY = 'demo-access-key'
export const SECRET_KEY = 'demo-secret-key'

export interface RawRequest {
  readonly method?: string
  /** Sent byte for byte. */
  readonly path: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: Buffer | string
  /** Sends the body without a Content-Length. */
  readonly chunked?: boolean
  /** Replaces the Authorization header that would be made; null sends none. */
  readonly authorization?: string | null
  /** What is signed instead of what the path says. */
  readonly resource?: string
  readonly hash?: 'sha1' | 'sha256'
}

export interface RawResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Signs and sends requests by hand, written from the dialect's text and sharing no code with the service. */
export class RawClient {
  readonly endpoint: URL
  readonly agent = new Agent({ keepAlive: true })

  constructor(endpoint: string) {
    this.endpoint = new URL(endpoint)
  }

  async send(raw: RawRequest): Promise<RawResponse> {
    const { hostname, port } = this.endpoint
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          hostname,
          port,
          agent: this.agent,
          method: raw.method ?? 'GET',
          path: raw.path,
          headers: {
            ...(raw.body !== undefined && raw.chunked !== true && { 'Content-Length': Buffer.byteLength(raw.body) }),
            ...signed(raw),
          },
        },
        (incoming) => {
          const blocks: Buffer[] = []
          incoming.on('data', (block: Buffer) => blocks.push(block))
          incoming.on('end', () =>
            resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(blocks) }),
          )
          incoming.on('error', reject)
        },
      )
      outgoing.on('error', reject)
      outgoing.end(raw.body)
    })
  }

  close(): void {
    this.agent.destroy()
  }
}

/** The request's headers with Date and Authorization. */
export function signed(raw: RawRequest): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { Date: new Date().toUTCString(), ...raw.headers }
  const authorization = raw.authorization === undefined ? signature(raw, headers) : raw.authorization
  return authorization === null ? headers : { ...headers, Authorization: authorization }
}

function signature(raw: RawRequest, headers: OutgoingHttpHeaders): string {
  const lower = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value).trim()]))
  const line = (name: string): string => `${lower.get(name) ?? ''}\n`
  const extra = [...lower.keys()]
    .filter((name) => name.startsWith('x-storage-'))
    .sort()
    .map((name) => `${name}:${lower.get(name)}\n`)
    .join('')
  const text =
    `${raw.method ?? 'GET'}\n${line('content-md5')}${line('content-type')}${line('date')}${extra}` +
    (raw.resource ?? resourceOf(raw.path))
  const hmac = createHmac(raw.hash ?? 'sha1', SECRET_KEY)
    .update(text, 'utf8')
    .digest('base64')
  return `STORAGE ${ACCESS_KEY}:${hmac}`
}

/** For path style. */
function resourceOf(path: string): string {
  const [name = '', query = ''] = path.split('?', 2)
  const subresources = query
    .split('&')
    .filter((pair) => /^(uploads|uploadId|partNumber)(=|$)/.test(pair))
    .map((pair) => decodeURIComponent(pair.replace(/=$/, '')))
    .sort()
  return decodeURIComponent(name) + (subresources.length > 0 ? `?${subresources.join('&')}` : '')
}
