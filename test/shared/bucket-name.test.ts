import { expect, test } from 'vitest'
import { bucketNameFault, isBucketName } from '../../shared/place/bucket-name.ts'

test.each(['abc', 'my-bucket.2026', '1.2.3.4.5', '0-0', 'a'.repeat(63)])('a bucket can be named %s', (name) => {
  expect(isBucketName(name)).toBe(true)
})

test.each([
  ['Media', 'characters'],
  ['my_bucket', 'characters'],
  ['my bucket', 'characters'],
  ['ümlaut', 'characters'],
  ['-media', 'start'],
  ['.media', 'start'],
  ['a'.repeat(64), 'long'],
  ['me..dia', 'dots'],
  ['192.168.5.4', 'address'],
  ['xn--media', 'reserved'],
  ['sthree-media', 'reserved'],
  ['amzn-s3-demo-media', 'reserved'],
  ['media-s3alias', 'reserved'],
  ['media--ol-s3', 'reserved'],
  ['media.mrap', 'reserved'],
  ['media--x-s3', 'reserved'],
  ['media--table-s3', 'reserved'],
])('%s can’t become the name of a bucket: %s', (name, fault) => {
  expect(bucketNameFault(name)).toBe(fault)
  expect(isBucketName(name)).toBe(false)
})

test.each(['', 'm', 'me', 'media-', 'media.'])('“%s” is no name yet, and typing on can make it one', (name) => {
  expect(bucketNameFault(name)).toBeNull()
  expect(isBucketName(name)).toBe(false)
  expect(isBucketName(`${name}abc`)).toBe(true)
})
