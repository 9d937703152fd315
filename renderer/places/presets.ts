import type { MessageKey } from '../../shared/language/english.ts'
import { t } from '../../shared/language/translate.ts'
import { PLACE_PRESETS, type PlacePreset, type StoreDialect } from '../../shared/place/place.ts'

/** The one word that a person enters of an endpoint that is otherwise fixed. */
export interface EndpointBlank {
  readonly label: MessageKey
  readonly example: string
  readonly hint?: MessageKey
  /** Whether the word is also the region that requests are signed for. */
  readonly isRegion: boolean
}

/** What is known about a provider or a kind of service before anything is entered. */
export interface Preset {
  /** The provider's name, the same in every language; left out: a kind of service, not a provider. */
  readonly brand?: string
  readonly dialect: StoreDialect
  /** `*` stands for the blank. Empty: the person enters the address. */
  readonly endpoint: string
  readonly example?: string
  readonly blank?: EndpointBlank
  readonly region: string
  readonly pathStyle: boolean
}

const region = (example: string): EndpointBlank => ({ label: 'places.region', example, isRegion: true })
const ownServer = { dialect: 's3', endpoint: '', region: '', pathStyle: true } as const
const hosted = { dialect: 's3', region: '', pathStyle: false } as const

/** The endpoints are from the providers' documentation of their S3 API. All also accept the bucket in the path. */
const PRESETS: Readonly<Record<PlacePreset, Preset>> = {
  storage: {
    ...{ dialect: 'storage', endpoint: '', region: '', pathStyle: false },
    example: 'https://storage.example.com',
  },
  aws: {
    ...hosted,
    brand: 'Amazon S3',
    endpoint: 'https://s3.*.amazonaws.com',
    blank: { ...region('us-east-1'), hint: 'places.region.detected' },
  },
  ceph: { ...ownServer, brand: 'Ceph', example: 'https://ceph.example.com:7480' },
  minio: { ...ownServer, brand: 'MinIO', example: 'https://minio.example.com:9000' },
  r2: {
    ...hosted,
    brand: 'Cloudflare R2',
    endpoint: 'https://*.r2.cloudflarestorage.com',
    blank: { label: 'places.account-id', example: '0123456789abcdef0123456789abcdef', isRegion: false },
    region: 'auto',
    pathStyle: true,
  },
  b2: { ...hosted, brand: 'Backblaze B2', endpoint: 'https://s3.*.backblazeb2.com', blank: region('us-west-004') },
  gcs: {
    ...hosted,
    brand: 'Google Cloud Storage',
    endpoint: 'https://storage.googleapis.com',
    region: 'auto',
    pathStyle: true,
  },
  wasabi: { ...hosted, brand: 'Wasabi', endpoint: 'https://s3.*.wasabisys.com', blank: region('eu-central-1') },
  digitalocean: {
    ...hosted,
    brand: 'DigitalOcean Spaces',
    endpoint: 'https://*.digitaloceanspaces.com',
    blank: region('fra1'),
  },
  scaleway: { ...hosted, brand: 'Scaleway', endpoint: 'https://s3.*.scw.cloud', blank: region('fr-par') },
  storj: { ...hosted, brand: 'Storj', endpoint: 'https://gateway.storjshare.io', pathStyle: true },
  s3: { ...ownServer, example: 'https://s3.example.com' },
}

/** The choices of the form, in its order. */
export function serviceOptions(): readonly { readonly value: PlacePreset; readonly label: string }[] {
  return PLACE_PRESETS.map((value) => ({ value, label: serviceName(value) }))
}

export function serviceName(id: PlacePreset): string {
  return PRESETS[id].brand ?? t(id === 'storage' ? 'places.service.storage' : 'places.service.other-s3')
}

export function presetOf(id: PlacePreset): Preset {
  return PRESETS[id]
}

/** The endpoint with the blank filled in. Amazon also has one without a region, and another domain for China. */
export function fillBlank({ endpoint }: Preset, word: string): string {
  if (!endpoint.endsWith('.amazonaws.com')) return endpoint.replace('*', word)
  if (word === '') return endpoint.replace('*.', '')
  return endpoint.replace('*', word) + (word.startsWith('cn-') ? '.cn' : '')
}

/** The word in the blank; null when the endpoint doesn't match. */
export function blankIn(preset: Preset, endpoint: string): string | null {
  const [before = '', after = ''] = preset.endpoint.split('*')
  const word = endpoint.slice(before.length).split(after)[0] ?? ''
  if (endpoint === fillBlank(preset, '')) return ''
  return endpoint === fillBlank(preset, word) ? word : null
}
