// Fills in the form of a place from a single address, which is what people usually have at hand. Pure.

import type { MessageKey } from '../../shared/language/english.ts'
import { percentDecoded } from '../../shared/place/percent-decoded.ts'
import { PLACE_PRESETS, type PlacePreset } from '../../shared/place/place.ts'
import { signedWordProblem } from '../words/place-words.ts'
import { withBlank, withEndpoint, withPreset, withRegion, type PlaceDraft } from './place-draft.ts'
import { blankIn, presetOf } from './presets.ts'

/** What an address says about a place. */
export type QuickAddress =
  | { readonly kind: 'place'; readonly fill: (draft: PlaceDraft) => PlaceDraft }
  | { readonly kind: 'problem'; readonly problem: MessageKey }

const NO_ADDRESS: QuickAddress = { kind: 'problem', problem: 'places.address.none' }
const WITH_KEY: QuickAddress = { kind: 'problem', problem: 'places.address.with-key' }

/**
 * Reads `https://host/bucket`, `https://bucket.host`, `s3://bucket/folder?region=…&endpoint=…`, or a host without a scheme.
 * The host of a known provider selects the service, and its labels give the bucket and the region.
 */
export function readAddress(text: string): QuickAddress {
  const typed = text.trim()
  const whole = typed.includes('://') ? typed : `https://${typed}`
  if (/\s/.test(whole) || !URL.canParse(whole)) return NO_ADDRESS
  const url = new URL(whole)
  if (url.username !== '' || url.password !== '') return WITH_KEY
  if (url.protocol === 's3:') return ofBucket(url)
  return url.protocol === 'https:' || url.protocol === 'http:' ? ofHost(url) : NO_ADDRESS
}

function ofBucket({ host: bucket, pathname, searchParams }: URL): QuickAddress {
  const folder = percentDecoded(pathname.slice(1))
  const region = searchParams.get('region') ?? ''
  if (bucket === '' || folder === null || signedWordProblem(region) !== null) return NO_ADDRESS
  const endpoint = searchParams.get('endpoint')
  const service = endpoint === null ? null : readAddress(endpoint)
  if (service?.kind === 'problem') return service
  const toService = service?.fill ?? ((draft: PlaceDraft) => withPreset(draft, 'aws'))
  return {
    kind: 'place',
    fill: (draft) => {
      const filled = { ...toService(draft), bucket, folder }
      return region === '' ? filled : withRegion(filled, region)
    },
  }
}

function ofHost({ origin, protocol, host, pathname }: URL): QuickAddress {
  const first = pathname.split('/')[1] ?? ''
  const inPath = percentDecoded(first)
  if (host === '' || inPath === null) return NO_ADDRESS
  const known = providerOf(protocol, host)
  if (known === null) return { kind: 'place', fill: (draft) => ownServer(draft, origin, inPath) }
  const { preset, word, bucket } = known
  return {
    kind: 'place',
    fill: (draft) => {
      const chosen = withPreset(draft, preset)
      return { ...(word === null ? chosen : withBlank(chosen, word)), bucket: bucket === '' ? inPath : bucket }
    },
  }
}

/** For a host of no known provider: keeps the chosen service if its address is typed, or else chooses plain S3. */
function ownServer(draft: PlaceDraft, origin: string, bucket: string): PlaceDraft {
  const isTyped = presetOf(draft.preset).endpoint === ''
  return { ...withEndpoint(isTyped ? draft : withPreset(draft, 's3'), origin), bucket }
}

interface Provider {
  readonly preset: PlacePreset
  /** The word in the blank of the address; null: the address has no blank. */
  readonly word: string | null
  /** The labels in front of the provider's; empty: there are none. */
  readonly bucket: string
}

function providerOf(protocol: string, host: string): Provider | null {
  const labels = host.split('.')
  // Find the shortest end of the host that is a provider's address. What precedes it is a bucket, which may have dots.
  for (let count = 2; count <= labels.length; count += 1) {
    const end = `${protocol}//${labels.slice(-count).join('.')}`
    const bucket = labels.slice(0, -count).join('.')
    for (const preset of PLACE_PRESETS) {
      const word = wordOf(preset, end)
      if (word !== undefined) return { preset, word, bucket }
    }
  }
  return null
}

/** The word in the blank, or null without one; undefined if the address is not this provider’s. */
function wordOf(id: PlacePreset, address: string): string | null | undefined {
  const preset = presetOf(id)
  if (preset.endpoint === '') return undefined
  if (preset.blank === undefined) return address === preset.endpoint ? null : undefined
  const word = blankIn(preset, address)
  return word === null || (word === '' && id !== 'aws') ? undefined : word
}
