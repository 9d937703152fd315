import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { readDigests } from '../../../electron/stores/messages/digests.ts'

const BYTES = Buffer.from('hello')
const hash = (name: string, encoding: 'hex' | 'base64') => createHash(name).update(BYTES).digest(encoding)
const md5 = hash('md5', 'hex')
const sha256 = hash('sha256', 'hex')

const read = (headers: Record<string, string>, status = 200) =>
  readDigests({ status, headers: new Map(Object.entries(headers)) })

test('digests of the whole object are read in each of their forms', () => {
  const md5Text = hash('md5', 'base64')
  const shaText = hash('sha256', 'base64')
  expect(read({ 'repr-digest': `sha-256=:${shaText}:, md5=:${md5Text}:` }, 206)).toEqual({ md5, sha256 })
  expect(read({ digest: `SHA-256=${shaText},MD5=${md5Text}` })).toEqual({ md5, sha256 })
  expect(read({ 'content-md5': md5Text })).toEqual({ md5 })
  expect(read({ 'x-goog-hash': `crc32c=AAAAAA==,md5=${md5Text}` })).toEqual({ md5, crc32c: '00000000' })
  expect(read({ 'x-amz-checksum-crc32': 'NhCmhg==' })).toEqual({ crc32: 0x3610a686 })
  expect(read({ 'x-amz-checksum-crc32c': 'NhCmhg==' })).toEqual({ crc32c: '3610a686' })
  expect(read({ 'x-amz-checksum-crc64nvme': 'rosUhgp5mIg=' })).toEqual({ crc64nvme: 'ae8b14860a799888' })
  expect(read({ 'x-amz-checksum-sha1': hash('sha1', 'base64') })).toEqual({ sha1: hash('sha1', 'hex') })
  expect(read({ 'x-amz-checksum-sha256': shaText })).toEqual({ sha256 })
})

test('a digest of the parts’ digests says how many parts there are', () => {
  const composite = { algorithm: 'crc32', digest: '3610a686', partCount: 3 }
  expect(read({ 'x-amz-checksum-crc32': 'NhCmhg==-3' })).toEqual({ composite })
  expect(read({ 'x-amz-checksum-crc32': 'NhCmhg==-3', 'x-amz-checksum-type': 'COMPOSITE' })).toEqual({ composite })
  expect(read({ 'x-amz-checksum-crc32': 'NhCmhg==-3', 'content-range': 'bytes 0-4/9' }, 206)).toBe(null)
  expect(read({ 'x-amz-checksum-crc64nvme': 'rosUhgp5mIg=-3' })).toBe(null)
  expect(read({ 'x-amz-checksum-crc32': 'NhCmhg==-0' })).toBe(null)
})

test('what is of a part, of parts, of encoded bytes or unreadable is no digest of the object', () => {
  const md5Text = hash('md5', 'base64')
  expect(read({ 'content-md5': md5Text }, 206)).toBe(null)
  const ofRange = { 'x-amz-checksum-crc32': 'NhCmhg==', 'x-amz-checksum-type': 'FULL_OBJECT' }
  expect(read({ ...ofRange, 'content-range': 'bytes 0-4/9' }, 206)).toBe(null)
  expect(read({ ...ofRange, 'content-range': 'bytes 4-8/9' }, 206)).toBe(null)
  expect(read({ ...ofRange, 'content-range': 'bytes 0-4/5' }, 206)).toEqual({ crc32: 0x3610a686 })
  expect(read({ 'content-digest': `md5=:${md5Text}:` })).toBe(null)
  expect(read({ 'x-amz-checksum-crc32': 'NhCmhg==', 'x-amz-checksum-type': 'COMPOSITE' })).toBe(null)
  expect(read({ 'content-md5': md5Text, 'content-encoding': 'gzip' })).toBe(null)
  expect(read({ digest: 'md5=short, sha-256=%%' })).toBe(null)
  expect(read({})).toBe(null)
})
