import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import * as http from 'node:http'
import * as https from 'node:https'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { CERTIFICATES } from './certificates.ts'
import { signedList } from '../../../scripts/packages/update-lists.mjs'

export interface UpdateServer {
  readonly url: string
  /** What a build that asks this server is told. */
  readonly build: {
    readonly url: string
    readonly key: string
    readonly replacesItself: boolean
    readonly updaterCacheDirName: string
  }
  /** Paths that were asked for, in order. */
  readonly asked: readonly string[]
  /** Offers `content` as a version, for this computer. */
  readonly offer: (offer: Offer) => void
  /** Gives `body` for `path` instead; null: 404. */
  readonly give: (path: string, body: string | Buffer | null) => void
}

export interface Offer {
  readonly version: string
  readonly content: Buffer
  readonly channel?: 'stable' | 'beta'
  /** Of another maker. */
  readonly key?: KeyObject
  /** The name that is signed; else that of the list. */
  readonly signedAs?: string
}

export const FILE_NAME = 'Sluice-next-linux-x86_64.AppImage'
const LIST = `linux-${process.arch}.json`

/** A server of updates on this computer, that holds nothing until something is offered. */
export async function startUpdateServer(cacheName: string, protocol: 'http' | 'https' = 'http'): Promise<UpdateServer> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const given = new Map<string, string | Buffer>()
  const asked: string[] = []
  const serve: http.RequestListener = ({ url = '' }, response) => {
    const path = url.slice(1)
    asked.push(path)
    const body = given.get(path)
    response.writeHead(
      body === undefined ? 404 : 200,
      body === undefined ? {} : { 'content-length': Buffer.byteLength(body) },
    )
    response.end(body)
  }
  const server = protocol === 'http' ? http.createServer(serve) : https.createServer(CERTIFICATES.good, serve)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const url = `${protocol}://127.0.0.1:${String((server.address() as AddressInfo).port)}/`
  const key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
  const give: UpdateServer['give'] = (path, body) => void (body === null ? given.delete(path) : given.set(path, body))
  return {
    url,
    build: { url, key, replacesItself: true, updaterCacheDirName: cacheName },
    asked,
    give,
    offer: ({ version, content, channel = 'stable', key: signer = privateKey, signedAs }) => {
      const sha512 = createHash('sha512').update(content).digest('base64')
      const name = `${channel}-${LIST}`
      const list = { version, file: { name: FILE_NAME, sizeBytes: content.length, sha512 } }
      give(name, signedList(signedAs ?? name, list, signer))
      give(FILE_NAME, content)
    },
  }
}
