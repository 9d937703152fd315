import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { createStore, type StoreConnection } from '../../../electron/stores/index.ts'
import type { ListedPart, ListedUpload, ObjectStore } from '../../../electron/stores/port/object-store.ts'
import { createSigV4 } from '../../../electron/stores/s3/signer.ts'
import type { StoreError } from '../../../electron/stores/port/store-error.ts'
import { bodyOf, signal } from '../../stores/support/open-store.ts'
import type { ServerAccess } from './server-access.ts'

const run = promisify(execFile)

/** A fresh bucket of a server. */
export interface S3World {
  readonly server: ServerAccess
  readonly bucket: string
  readonly store: ObjectStore
  connection(changes?: Partial<StoreConnection>): StoreConnection
  /** What the command line and other tools are told, by way of `endpoint`. */
  environment(endpoint?: string): Readonly<Record<string, string>>
}

export async function createS3World(server: ServerAccess): Promise<S3World> {
  const bucket = `sluice-${randomUUID()}`
  await putSigned(server, `/${bucket}`)
  const { accessKeyId, secretAccessKey, region } = server
  const connection = (changes: Partial<StoreConnection> = {}): StoreConnection => ({
    ...{ endpoint: server.endpoint, bucket, dialect: 's3', pathStyle: true, scheme: '', signature: 'hmac-sha256' },
    ...{ region, credentials: { accessKeyId, secretAccessKey } },
    ...changes,
  })
  const store = createStore(connection())
  onTestFinished(() => store.close())
  return {
    server,
    bucket,
    store,
    connection,
    environment: (endpoint = server.endpoint) => ({
      SLUICE_DIALECT: 's3',
      SLUICE_ENDPOINT: endpoint,
      SLUICE_BUCKET: bucket,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_REGION: region,
      AWS_DEFAULT_REGION: region,
      RCLONE_CONFIG_GW_TYPE: 's3',
      RCLONE_CONFIG_GW_PROVIDER: 'Ceph',
      RCLONE_CONFIG_GW_ACCESS_KEY_ID: accessKeyId,
      RCLONE_CONFIG_GW_SECRET_ACCESS_KEY: secretAccessKey,
      // rclone can't load one for a client of its own, and the server speaks plain http.
      AWS_CA_BUNDLE: '',
      RCLONE_CONFIG_GW_ENDPOINT: endpoint,
      RCLONE_CONFIG_GW_CHUNK_SIZE: '5Mi',
      RCLONE_CONFIG_GW_UPLOAD_CUTOFF: '5Mi',
    }),
  }
}

/** Puts what Sluice itself never does: a bucket, or a setting of one. `target`: path and canonical query. */
export async function putSigned(server: ServerAccess, target: string, body = ''): Promise<void> {
  const { endpoint, region, ...credentials } = server
  const [path = '', query = ''] = target.split('?')
  const payloadHash = createHash('sha256').update(body).digest('hex')
  const request = { method: 'PUT', path, query, headers: { host: new URL(endpoint).host }, payloadHash }
  const proof = createSigV4().sign(request, { credentials, region, dateMs: Date.now() })
  const response = await fetch(endpoint + target, { method: 'PUT', headers: proof, body })
  if (!response.ok) throw new Error(`${target} was not taken: ${await response.text()}`)
}

/** Whether a program can be run here. */
export async function isInstalled(program: string, ...versionArguments: readonly string[]): Promise<boolean> {
  return run(program, versionArguments).then(
    () => true,
    () => false,
  )
}

export function md5Of(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('base64')
}

export async function putPart(
  store: ObjectStore,
  upload: { key: string; uploadId: string },
  number: number,
  bytes: Buffer,
) {
  const request = { ...upload, partNumber: number, body: bodyOf(bytes), contentMd5: md5Of(bytes), signal }
  return { partNumber: number, etag: (await store.uploadPart(request)).etag }
}

/** The uploads that are open, none where the service has no list of them. */
export async function openUploads(store: ObjectStore): Promise<readonly ListedUpload[]> {
  const { uploads } = await store.listMultipartUploads({ signal }).catch((error: StoreError) => {
    if (error.httpStatus === 501) return { uploads: [] }
    throw error
  })
  return uploads
}

/** All parts of an upload, by pages of `maxParts`. */
export async function allParts(
  store: ObjectStore,
  upload: { readonly key: string; readonly uploadId: string },
  maxParts?: number,
): Promise<{ readonly parts: readonly ListedPart[]; readonly pageCount: number }> {
  const parts: ListedPart[] = []
  let pageCount = 0
  let next: number | null = 0
  while (next !== null) {
    const page: Awaited<ReturnType<ObjectStore['listParts']>> = await store.listParts({
      ...{ ...upload, partNumberMarker: next, signal },
      ...(maxParts === undefined ? {} : { maxParts }),
    })
    parts.push(...page.parts)
    pageCount += 1
    next = page.nextPartNumberMarker
  }
  return { parts, pageCount }
}
