import { describe, expect, it } from 'vitest'
import {
  contentFiles,
  eventually,
  createUpload,
  json,
  md5,
  noise,
  put,
  startStore,
  uploadPart,
  verdict,
} from './support/fixture.ts'

describe('CreateMultipartUpload', () => {
  it('gives every upload its own id', async () => {
    const { client } = await startStore()
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => client.send({ method: 'POST', path: '/demo/a%2Fb?uploads' })),
    )
    const uploads = responses.map(json)
    expect(uploads[0]).toEqual({ Bucket: 'demo', Key: 'a/b', UploadId: expect.any(String) as string })
    expect(new Set(uploads.map((upload) => upload['UploadId'])).size).toBe(20)
  })
})

describe('UploadPart', () => {
  it('answers the MD5 of the part as its ETag', async () => {
    const { client } = await startStore()
    const part = noise(3_000_001)
    const uploadId = await createUpload(client, '/demo/key')
    expect(await uploadPart(client, '/demo/key', uploadId, 7, part)).toBe(`"${md5(part)}"`)
  })

  it.each(['0', '10001', '-1', '1.5', 'one', '', '1e3'])('refuses the part number “%s”', async (number) => {
    const { client } = await startStore()
    const uploadId = await createUpload(client, '/demo/key')
    const path = `/demo/key?partNumber=${number}&uploadId=${uploadId}`
    expect(verdict(await client.send({ method: 'PUT', path, body: 'x' }))).toBe('400 InvalidArgument')
  })

  it.each(['', 'unknown'])('answers NoSuchUpload to the uploadId “%s”', async (uploadId) => {
    const { client } = await startStore()
    const path = `/demo/key?partNumber=1&uploadId=${uploadId}`
    expect(verdict(await client.send({ method: 'PUT', path, body: 'x' }))).toBe('404 NoSuchUpload')
  })

  it('answers NoSuchUpload to an uploadId of another object', async () => {
    const { client } = await startStore()
    const uploadId = await createUpload(client, '/demo/key')
    const path = `/demo/key2?partNumber=1&uploadId=${uploadId}`
    expect(verdict(await client.send({ method: 'PUT', path, body: 'x' }))).toBe('404 NoSuchUpload')
  })

  it.each([md5('other', 'base64'), 'not base64', 'AAAA', ''])(
    'stores nothing when Content-MD5 is “%s”',
    async (digest) => {
      const { client, directory } = await startStore()
      const uploadId = await createUpload(client, '/demo/key')
      const path = `/demo/key?partNumber=1&uploadId=${uploadId}`
      const headers = { 'Content-MD5': digest }
      expect(verdict(await client.send({ method: 'PUT', path, body: 'x', headers }))).toBe('400 InvalidDigest')
      expect(json(await client.send({ path: `/demo/key?uploadId=${uploadId}` }))).toMatchObject({ Parts: [] })
      await eventually(() => contentFiles(directory)).toEqual([])
    },
  )

  it('takes a right Content-MD5', async () => {
    const { client } = await startStore()
    const uploadId = await createUpload(client, '/demo/key')
    const path = `/demo/key?partNumber=1&uploadId=${uploadId}`
    const headers = { 'Content-MD5': md5('x', 'base64') }
    expect(verdict(await client.send({ method: 'PUT', path, body: 'x', headers }))).toBe('200')
  })

  it('frees the space of a part that is replaced', async () => {
    const { client, directory } = await startStore()
    const uploadId = await createUpload(client, '/demo/key')
    await uploadPart(client, '/demo/key', uploadId, 1, noise(1000))
    const [first] = await contentFiles(directory)
    await uploadPart(client, '/demo/key', uploadId, 1, noise(1000))
    await eventually(() => contentFiles(directory)).toHaveLength(1)
    expect(await contentFiles(directory)).not.toContain(first)
  })

  it.each(['partNumber=1', 'uploadId=x', 'uploads', 'partNumber=1&uploads'])(
    'never takes PUT ?%s for PutObject',
    async (query) => {
      const { client } = await startStore()
      await put(client, '/demo/key', 'before')
      expect(verdict(await client.send({ method: 'PUT', path: `/demo/key?${query}`, body: 'x' }))).toBe(
        '400 InvalidArgument',
      )
      expect((await client.send({ path: '/demo/key' })).body.toString()).toBe('before')
    },
  )
})

describe('AbortMultipartUpload', () => {
  it('ends the upload and frees its space', async () => {
    const { client, directory } = await startStore()
    const uploadId = await createUpload(client, '/demo/key')
    await uploadPart(client, '/demo/key', uploadId, 1, noise(1000))
    await uploadPart(client, '/demo/key', uploadId, 2, noise(1000))
    const abort = { method: 'DELETE', path: `/demo/key?uploadId=${uploadId}` }
    const response = await client.send(abort)
    expect([response.status, response.body.length]).toEqual([204, 0])
    expect(verdict(await client.send(abort))).toBe('404 NoSuchUpload')
    expect(await uploadPart(client, '/demo/key', uploadId, 3, noise(1))).toBe('refused with 404')
    await eventually(() => contentFiles(directory)).toEqual([])
  })

  it('leaves the object and other uploads alone', async () => {
    const { client } = await startStore()
    await put(client, '/demo/key', 'object')
    const [one, other] = [await createUpload(client, '/demo/key'), await createUpload(client, '/demo/key')]
    await client.send({ method: 'DELETE', path: `/demo/key?uploadId=${one}` })
    expect((await client.send({ path: '/demo/key' })).body.toString()).toBe('object')
    expect((await client.send({ path: `/demo/key?uploadId=${other}` })).status).toBe(200)
  })

  it.each(['', 'unknown'])('never takes DELETE ?uploadId=%s for DeleteObject', async (uploadId) => {
    const { client } = await startStore()
    await put(client, '/demo/key', 'object')
    const response = await client.send({ method: 'DELETE', path: `/demo/key?uploadId=${uploadId}` })
    expect(verdict(response)).toBe('404 NoSuchUpload')
    expect((await client.send({ path: '/demo/key' })).status).toBe(200)
  })
})
