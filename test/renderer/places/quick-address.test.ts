import { expect, test } from 'vitest'
import type { PlacePreset } from '../../../shared/place/place.ts'
import { newDraft } from '../../../renderer/places/place-draft.ts'
import { t } from '../../../shared/language/translate.ts'
import { readAddress } from '../../../renderer/places/quick-address.ts'

function filled(text: string, preset: PlacePreset = 'aws') {
  const address = readAddress(text)
  if (address.kind === 'problem') return t(address.problem)
  const { preset: service, endpoint, bucket, region, pathStyle } = address.fill(newDraft(preset))
  return { service, endpoint, bucket, region, pathStyle }
}

test.each<[string, PlacePreset, string, string, string]>([
  ['https://s3.eu-west-1.amazonaws.com/media/raw/', 'aws', 'https://s3.eu-west-1.amazonaws.com', 'media', 'eu-west-1'],
  ['https://my.media.s3.eu-west-1.amazonaws.com', 'aws', 'https://s3.eu-west-1.amazonaws.com', 'my.media', 'eu-west-1'],
  ['https://media.s3.amazonaws.com/', 'aws', 'https://s3.amazonaws.com', 'media', ''],
  ['s3://media', 'aws', 'https://s3.amazonaws.com', 'media', ''],
  ['s3://media/raw?region=us-west-2', 'aws', 'https://s3.us-west-2.amazonaws.com', 'media', 'us-west-2'],
  ['s3://media?region=de&endpoint=https://ceph.example.com', 's3', 'https://ceph.example.com', 'media', 'de'],
  ['media.fra1.digitaloceanspaces.com', 'digitalocean', 'https://fra1.digitaloceanspaces.com', 'media', 'fra1'],
  ['https://fra1.digitaloceanspaces.com/media', 'digitalocean', 'https://fra1.digitaloceanspaces.com', 'media', 'fra1'],
  ['https://abc.r2.cloudflarestorage.com/media', 'r2', 'https://abc.r2.cloudflarestorage.com', 'media', 'auto'],
  ['https://storage.googleapis.com/media', 'gcs', 'https://storage.googleapis.com', 'media', 'auto'],
  ['https://gateway.storjshare.io', 'storj', 'https://gateway.storjshare.io', '', ''],
  ['minio.example.com:9000/my%20media', 's3', 'https://minio.example.com:9000', 'my media', ''],
  ['http://10.0.0.7:9000', 's3', 'http://10.0.0.7:9000', '', ''],
])('%s fills the form', (text, service, endpoint, bucket, region) => {
  expect(filled(text)).toMatchObject({ service, endpoint, bucket, region })
})

test('an s3:// address also says in which folder the place begins', () => {
  const address = readAddress('s3://media/home/ann%20b/')
  expect(address.kind === 'place' && address.fill(newDraft('aws')).folder).toBe('home/ann b/')
})

test('a host that nobody knows stays with the service that is chosen, if its address is typed', () => {
  expect(filled('https://ceph.example.com/media', 'ceph')).toMatchObject({ service: 'ceph', pathStyle: true })
  expect(filled('https://store.example.com/media', 'storage')).toMatchObject({ service: 'storage', pathStyle: false })
})

test.each([
  ['https://AK:secret@s3.example.com/media', 'Leave the key out of the address and enter it below.'],
  ['ftp://host/media', 'An address such as https://host/bucket or s3://bucket'],
  ['two words', 'An address such as https://host/bucket or s3://bucket'],
  ['https://host/%E0%A4%A', 'An address such as https://host/bucket or s3://bucket'],
  ['s3://', 'An address such as https://host/bucket or s3://bucket'],
  ['s3://media?region=eu%20west', 'An address such as https://host/bucket or s3://bucket'],
])('%s is refused in words', (text, words) => {
  expect(filled(text)).toBe(words)
})
