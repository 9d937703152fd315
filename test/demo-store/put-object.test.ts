import { describe, expect, it } from 'vitest'
import { contentFiles, eventually, md5, noise, put, startStore, verdict } from './support/fixture.ts'

describe('PutObject', () => {
  it.each([0, 1, 65_536, 1_048_576, 5_000_003])('stores %i bytes and answers their MD5', async (sizeBytes) => {
    const { client } = await startStore()
    const content = noise(sizeBytes)
    const response = await put(client, '/demo/key', content)
    expect([response.status, response.headers.etag, response.body.length]).toEqual([200, `"${md5(content)}"`, 0])
    const object = await client.send({ path: '/demo/key' })
    expect(object.body.equals(content)).toBe(true)
    expect(object.headers.etag).toBe(response.headers.etag)
    expect(object.headers['content-type']).toBe('application/octet-stream')
  })

  it('replaces an object and frees its space', async () => {
    const { client, directory } = await startStore()
    await put(client, '/demo/key', 'one', { 'Content-Type': 'text/plain' })
    await put(client, '/demo/key', 'two')
    const { body, headers } = await client.send({ path: '/demo/key' })
    expect([body.toString(), headers['content-type']]).toEqual(['two', 'application/octet-stream'])
    await eventually(() => contentFiles(directory)).toHaveLength(1)
  })

  it.each([md5('other', 'base64'), 'AAAA', ''])('stores nothing when Content-MD5 is “%s”', async (digest) => {
    const { client, directory } = await startStore()
    await put(client, '/demo/key', 'before')
    expect(verdict(await put(client, '/demo/key', 'after', { 'Content-MD5': digest }))).toBe('400 InvalidDigest')
    expect((await client.send({ path: '/demo/key' })).body.toString()).toBe('before')
    await eventually(() => contentFiles(directory)).toHaveLength(1)
  })

  it('takes a right Content-MD5', async () => {
    const { client } = await startStore()
    expect(verdict(await put(client, '/demo/key', 'x', { 'Content-MD5': md5('x', 'base64') }))).toBe('200')
  })

  it('takes a chunked body', async () => {
    const { client } = await startStore()
    const content = noise(200_000)
    const response = await client.send({ method: 'PUT', path: '/demo/key', body: content, chunked: true })
    expect(response.status).toBe(200)
    expect((await client.send({ path: '/demo/key' })).body.equals(content)).toBe(true)
  })

  it('keeps 32 objects apart that arrive at a time', async () => {
    const { client } = await startStore()
    const contents = Array.from({ length: 32 }, () => noise(300_000))
    await Promise.all(contents.map((content, index) => put(client, `/demo/${index}`, content)))
    const stored = await Promise.all(contents.map((_, index) => client.send({ path: `/demo/${index}` })))
    expect(stored.map(({ body }, index) => contents[index]?.equals(body))).toEqual(Array<boolean>(32).fill(true))
  })

  it('keeps one whole object when many of one name arrive at a time', async () => {
    const { client, directory } = await startStore()
    const contents = Array.from({ length: 16 }, () => noise(300_000))
    await Promise.all(contents.map((content) => put(client, '/demo/key', content)))
    const { body } = await client.send({ path: '/demo/key' })
    expect(contents.filter((content) => content.equals(body))).toHaveLength(1)
    await eventually(() => contentFiles(directory)).toHaveLength(1)
  })
})

describe('DeleteObject', () => {
  it('deletes, frees the space, and answers 204 for a missing object', async () => {
    const { client, directory } = await startStore()
    await put(client, '/demo/key', 'x')
    for (let time = 0; time < 2; time++) {
      const response = await client.send({ method: 'DELETE', path: '/demo/key' })
      expect([response.status, response.body.length]).toEqual([204, 0])
    }
    expect(verdict(await client.send({ path: '/demo/key' }))).toBe('404 NoSuchKey')
    await eventually(() => contentFiles(directory)).toEqual([])
  })
})

describe('Operations that the service does not have', () => {
  it.each([
    ['PATCH', '/demo/key', '405 MethodNotAllowed'],
    ['OPTIONS', '/demo/key', '405 MethodNotAllowed'],
    ['PUT', '/demo/', '405 MethodNotAllowed'],
    ['PUT', '/demo', '405 MethodNotAllowed'],
    ['DELETE', '/demo/', '405 MethodNotAllowed'],
    ['POST', '/demo/?uploads', '405 MethodNotAllowed'],
    ['GET', '/demo/key?uploads', '400 InvalidArgument'],
    ['GET', '/demo/key?partNumber=1', '400 InvalidArgument'],
    ['DELETE', '/demo/key?partNumber=1', '400 InvalidArgument'],
    ['POST', '/demo/key?uploads&uploadId=x', '400 InvalidArgument'],
  ])('%s %s is %s', async (method, path, expected) => {
    const { client } = await startStore()
    const resource = path === '/demo' ? '/demo/' : undefined
    expect(verdict(await client.send({ method, path, ...(resource !== undefined && { resource }) }))).toBe(expected)
  })
})
