import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { startDemoStore, type DemoStoreOptions, type RunningDemoStore } from '../../../electron/demo-store/index.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { ACCESS_KEY, RawClient, SECRET_KEY, type RawResponse, type RawRequest } from './raw-client.ts'

const MIB = 1024 * 1024
export const MIN_PART = 5 * MIB

export interface Fixture {
  readonly directory: string
  readonly store: RunningDemoStore
  readonly client: RawClient
}

/** A store with the buckets `demo` and `other`, gone after the test. */
export async function startStore(options: Partial<DemoStoreOptions> = {}): Promise<Fixture> {
  const directory = options.directory ?? (await tempDir())
  const store = await startDemoStore({
    directory,
    buckets: ['demo', 'other'],
    credentials: { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY },
    ...options,
  })
  const client = new RawClient(store.endpoint)
  onTestFinished(async () => {
    client.close()
    await store.close()
  })
  return { directory, store, client }
}

export function json(response: RawResponse): Record<string, never> & { Error?: { Code?: string } } {
  return JSON.parse(response.body.toString('utf8')) as Record<string, never>
}

/** `200`, or `404 NoSuchKey`. */
export function verdict(response: RawResponse): string {
  return response.status < 400 ? String(response.status) : `${response.status} ${json(response).Error?.Code}`
}

export async function createUpload(
  client: RawClient,
  path: string,
  headers: RawRequest['headers'] = {},
): Promise<string> {
  return json(await client.send({ method: 'POST', path: `${path}?uploads`, headers }))['UploadId'] as unknown as string
}

/** Returns the ETag as sent. */
export async function uploadPart(
  client: RawClient,
  path: string,
  uploadId: string,
  partNumber: number,
  body: Buffer,
): Promise<string> {
  const response = await client.send({
    method: 'PUT',
    path: `${path}?partNumber=${partNumber}&uploadId=${uploadId}`,
    body,
  })
  return response.headers.etag ?? `refused with ${response.status}`
}

export type PartEntry = readonly [partNumber: number, etag: string]

export function partList(parts: readonly PartEntry[]): string {
  return JSON.stringify({ Parts: parts.map(([PartNumber, ETag]) => ({ PartNumber, ETag })) })
}

export function complete(
  client: RawClient,
  path: string,
  uploadId: string,
  parts: readonly PartEntry[] | string,
  headers: RawRequest['headers'] = {},
): Promise<RawResponse> {
  const body = typeof parts === 'string' ? parts : partList(parts)
  return client.send({ method: 'POST', path: `${path}?uploadId=${uploadId}`, body, headers })
}

export function put(
  client: RawClient,
  path: string,
  body: Buffer | string,
  headers: RawRequest['headers'] = {},
): Promise<RawResponse> {
  return client.send({ method: 'PUT', path, body, headers })
}

export function md5(data: Buffer | string, encoding: 'hex' | 'base64' = 'hex'): string {
  return createHash('md5').update(data).digest(encoding)
}

export function noise(sizeBytes: number): Buffer {
  return randomBytes(sizeBytes)
}

/** Names of the content files there are. */
export async function contentFiles(directory: string): Promise<string[]> {
  return (await readdir(join(directory, 'content'))).sort()
}

/** An assertion that holds sooner or later. */
export function eventually<Value>(read: () => Value): ReturnType<typeof expect.poll<Value>> {
  return expect.poll(read, { interval: 10 })
}

export interface UploadFixture extends Fixture {
  readonly uploadId: string
  readonly etags: readonly string[]
}

/** A store with an upload of `path` that has parts 1, 2, … of these contents. */
export async function startUpload(path: string, ...parts: readonly Buffer[]): Promise<UploadFixture> {
  const fixture = await startStore()
  const uploadId = await createUpload(fixture.client, path)
  const etags: string[] = []
  for (const [index, part] of parts.entries()) {
    etags.push(await uploadPart(fixture.client, path, uploadId, index + 1, part))
  }
  return { ...fixture, uploadId, etags }
}
