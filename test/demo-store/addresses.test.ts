import { readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createUpload, json, put, startStore, uploadPart, complete, verdict } from './support/fixture.ts'

/** Escapes every byte. */
function escaped(key: string): string {
  return [...Buffer.from(key)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
}

const VERBATIM_KEYS = [
  '.',
  '..',
  '../..',
  '/',
  '//',
  '/leading',
  'trailing/',
  'a//b',
  'a/./b',
  'a/../b',
  '../../../../etc/passwd',
  'a+b',
  'a b',
  'a%20b',
  '?',
  '#',
  '\\..\\x',
  'con',
  '\u0001\t\r\n\u007f',
  '\uFEFFbom',
  'é',
  'e\u0301',
  '🗂/😀',
  '__proto__',
  'k'.repeat(1024),
  '🗂'.repeat(256),
]

describe('Keys', () => {
  it('are stored verbatim', async () => {
    const { client, directory } = await startStore()
    for (const key of VERBATIM_KEYS) {
      const resource = `/demo/${key}`
      const stored = await client.send({ method: 'PUT', path: `/demo/${escaped(key)}`, resource, body: `of ${key}` })
      expect(stored.status, key).toBe(200)
    }
    for (const key of VERBATIM_KEYS) {
      const { body } = await client.send({ path: `/demo/${escaped(key)}`, resource: `/demo/${key}` })
      expect(body.toString(), key).toBe(`of ${key}`)
    }
    const listed = json(await client.send({ path: '/demo/' }))['Contents'] as unknown as { Key: string }[]
    const sorted = [...VERBATIM_KEYS].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
    expect(listed.map(({ Key }) => Key)).toEqual(sorted)
    expect((await readdir(directory)).sort()).toEqual(['content', 'journal.jsonl', 'lock.db', 'reserve'])
    expect(await readdir(dirname(directory))).not.toContain('passwd')
  })

  it.each(['.', '..', 'a/../b', 'a//b', '/a', 'a/', "~!$&'()*,;=:@"])('keep %s unescaped', async (key) => {
    const { client } = await startStore()
    expect((await put(client, `/demo/${key}`, key)).status).toBe(200)
    const { body } = await client.send({ path: `/demo/${escaped(key)}`, resource: `/demo/${key}` })
    expect(body.toString()).toBe(key)
  })

  it('take + in a path for a plus', async () => {
    const { client } = await startStore()
    await put(client, '/demo/a+b', 'x')
    expect((await client.send({ path: '/demo/a%2Bb' })).status).toBe(200)
    expect((await client.send({ path: '/demo/a%20b' })).status).toBe(404)
  })

  it.each([
    ['NUL', '/demo/a%00b'],
    ['an overlong sequence', '/demo/%C0%AF'],
    ['half a sequence', '/demo/%C3'],
    ['a surrogate', '/demo/%ED%A0%80'],
    ['a lone byte', '/demo/%FF'],
    ['an escape cut short', '/demo/a%2'],
    ['an escape that is none', '/demo/a%zz'],
    ['a byte that must be escaped', Buffer.from('/demo/é').toString('latin1')],
    ['a bare percent', '/demo/100%'],
    ['a wrong escape in the query', '/demo/?prefix=%zz'],
    ['NUL in the query', '/demo/?prefix=%00'],
    ['invalid UTF-8 in the query', '/demo/?prefix=%FF'],
    ['a parameter given twice', '/demo/?prefix=a&prefix=b'],
    ['a wrong escape in the bucket', '/de%mo/key'],
    ['1,025 bytes', `/demo/${'k'.repeat(1025)}`],
    ['1,026 bytes in 513 characters', `/demo/${'%C3%A9'.repeat(513)}`],
  ])('with %s are refused with InvalidArgument', async (_, path) => {
    const { client } = await startStore({ credentials: null })
    expect(verdict(await client.send({ path, authorization: null }))).toBe('400 InvalidArgument')
    expect(verdict(await client.send({ path, method: 'PUT', body: 'x', authorization: null }))).toBe(
      '400 InvalidArgument',
    )
  })
})

describe('Host', () => {
  it.each([
    ['demo.storage.example', '/key'],
    ['demo.localhost:1234', '/key'],
    ['demo.a.b.c:80', '/key'],
    ['localhost:1234', '/demo/key'],
    ['localhost', '/demo/key'],
    ['127.0.0.1', '/demo/key'],
    ['10.1.2.3:80', '/demo/key'],
    ['[::1]:80', '/demo/key'],
    ['[fe80::1]', '/demo/key'],
  ])('%s with %s names the object', async (Host, path) => {
    const { client } = await startStore()
    await put(client, '/demo/key', 'x')
    const response = await client.send({ path, headers: { Host }, resource: '/demo/key' })
    expect([response.status, response.body.toString()]).toEqual([200, 'x'])
  })

  it.each([
    ['missing.storage.example', '/key', '/missing/key'],
    ['demo2.localhost', '/', '/demo2/'],
    ['127.0.0.1', '/missing/key', '/missing/key'],
    ['127.0.0.1', '/missing', '/missing/'],
  ])('%s with %s is NoSuchBucket', async (Host, path, resource) => {
    const { client } = await startStore()
    expect(verdict(await client.send({ path, headers: { Host }, resource }))).toBe('404 NoSuchBucket')
  })

  it('doesn’t reveal whether a bucket exists to those who may not know', async () => {
    const { client } = await startStore()
    expect(verdict(await client.send({ path: '/missing/key', authorization: null }))).toBe('403 AccessDenied')
  })

  it('keeps buckets apart', async () => {
    const { client } = await startStore()
    await put(client, '/demo/key', 'x')
    expect(verdict(await client.send({ path: '/other/key' }))).toBe('404 NoSuchKey')
  })

  it.each([
    ['demo.localhost:9000', '/a%20b/%C3%A9', 'http://demo.localhost:9000/a%20b/%C3%A9'],
    ['127.0.0.1:9000', '/demo/a%20b/%C3%A9', 'http://127.0.0.1:9000/demo/a%20b/%C3%A9'],
  ])('%s is where Location is', async (Host, path, location) => {
    const { client } = await startStore({ credentials: null })
    const uploadId = await createUpload(client, '/demo/a%20b/%C3%A9')
    const etag = await uploadPart(client, '/demo/a%20b/%C3%A9', uploadId, 1, Buffer.from('x'))
    const response = await complete(client, path, uploadId, [[1, etag]], { Host })
    expect(json(response)).toMatchObject({ Location: location, Bucket: 'demo', Key: 'a b/é' })
  })
})
