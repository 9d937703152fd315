import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { inject, onTestFinished } from 'vitest'
import { createStore, type StoreConnection } from '../../../electron/stores/index.ts'
import type { ListedPart, ObjectStore } from '../../../electron/stores/object-store.ts'
import { createSigV4, EMPTY_SHA256 } from '../../../electron/stores/s3/signer.ts'
import { bodyOf, signal } from '../../stores/support/open-store.ts'
import type { Gateway } from './global-setup.ts'

/** The gateway, or why a test is skipped. */
export const gateway = inject('gateway')

const run = promisify(execFile)

/** A fresh bucket of the gateway. */
export interface CephWorld {
  readonly gateway: Gateway
  readonly bucket: string
  readonly store: ObjectStore
  connection(changes?: Partial<StoreConnection>): StoreConnection
  /** What the command line and other tools are told, by way of `endpoint`. */
  environment(endpoint?: string): Readonly<Record<string, string>>
}

export async function createCephWorld(): Promise<CephWorld> {
  if (gateway === null) throw new Error('There is no gateway')
  const bucket = `sluice-${randomUUID()}`
  await createBucket(gateway, bucket)
  const { accessKeyId, secretAccessKey, region } = gateway
  const connection = (changes: Partial<StoreConnection> = {}): StoreConnection => ({
    ...{ endpoint: gateway.endpoint, bucket, dialect: 's3', pathStyle: true, scheme: '', signature: 'hmac-sha256' },
    ...{ region, credentials: { accessKeyId, secretAccessKey } },
    ...changes,
  })
  const store = createStore(connection())
  onTestFinished(() => store.close())
  return {
    gateway,
    bucket,
    store,
    connection,
    environment: (endpoint = gateway.endpoint) => ({
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
      // rclone can't load one for a client of its own, and the gateway speaks plain http.
      AWS_CA_BUNDLE: '',
      RCLONE_CONFIG_GW_ENDPOINT: endpoint,
      RCLONE_CONFIG_GW_CHUNK_SIZE: '5Mi',
      RCLONE_CONFIG_GW_UPLOAD_CUTOFF: '5Mi',
    }),
  }
}

async function createBucket({ endpoint, region, ...credentials }: Gateway, bucket: string): Promise<void> {
  const headers = { host: new URL(endpoint).host }
  const request = { method: 'PUT', path: `/${bucket}`, query: '', headers, payloadHash: EMPTY_SHA256 }
  const proof = createSigV4().sign(request, { credentials, region, dateMs: Date.now() })
  const response = await fetch(`${endpoint}/${bucket}`, { method: 'PUT', headers: proof })
  if (!response.ok) throw new Error(`The bucket was not created: ${await response.text()}`)
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
