import { t } from '../../shared/language/translate.ts'
import {
  placeAddress,
  type AwsProfile,
  type NewPlace,
  type Place,
  type PlacePreset,
  type PlaceSecrets,
} from '../../shared/place/place.ts'
import { prefixOf } from '../../shared/place/prefix-of.ts'
import { bucketProblem, signedWordProblem } from '../words/place-words.ts'
import { blankIn, fillBlank, presetOf, serviceName } from './presets.ts'

export type SignIn = 'keys' | 'profile' | 'anonymous'

/** The content of the form: a place, and how to sign in to it. Secrets are only in their fields. */
export type PlaceDraft = Omit<NewPlace, keyof PlaceSecrets> & {
  readonly signIn: SignIn
  readonly hasSecret: boolean
  /** The endpoints entered for services that were chosen before in the same form. */
  readonly endpoints: Readonly<Record<string, string>>
  /** The same for what is entered along with an endpoint. */
  readonly ways: Readonly<Partial<Record<PlacePreset, Pick<NewPlace, 'region' | 'pathStyle'>>>>
}

const EMPTY: PlaceDraft = {
  ...{ name: '', endpoint: '', bucket: '', dialect: 'storage', pathStyle: false, scheme: 'STORAGE', region: '' },
  ...{ signature: 'hmac-sha1', accessKeyId: '', hasSecret: false, profile: '' },
  ...{ preset: 'storage', color: 'none', signIn: 'keys', endpoints: {}, ways: {} },
}

/** The form of a new place. */
export function newDraft(preset: PlacePreset): PlaceDraft {
  return withPreset(EMPTY, preset)
}

/** The service of the place that was added last; Amazon S3 if there is none yet. */
export function usualPreset(places: readonly Place[]): PlacePreset {
  return places.findLast(({ isDemo }) => !isDemo)?.preset ?? 'aws'
}

/** The form for editing a place, without its secrets. */
export function draftOf({ id: _, isDemo: __, lacksSecret: ___, isLocked: ____, ...place }: Place): PlaceDraft {
  const signIn = place.signature === 'none' ? 'anonymous' : place.profile === '' ? 'keys' : 'profile'
  return { ...place, hasSecret: false, signIn, endpoints: {}, ways: {} }
}

/** Switches to another provider, with its address and settings. Keeps whatever else was entered by hand. */
export function withPreset(draft: PlaceDraft, id: PlacePreset): PlaceDraft {
  const preset = presetOf(id)
  const { dialect } = preset
  const endpoints = { ...draft.endpoints, [addressKind(draft.preset)]: draft.endpoint }
  const ways = { ...draft.ways, [draft.preset]: { region: draft.region, pathStyle: draft.pathStyle } }
  const endpoint = endpoints[addressKind(id)] ?? fillBlank(preset, '')
  const { region, pathStyle } = ways[id] ?? preset
  const signIn = draft.signIn === 'profile' && dialect === 'storage' ? 'keys' : draft.signIn
  const where = { endpoint, region, pathStyle: pathStyle || isHostBare(endpoint) }
  return withSignIn({ ...draft, preset: id, dialect, ...where, endpoints, ways }, signIn)
}

/** Services whose address is typed share one: it is kept when a person switches between them. */
function addressKind(id: PlacePreset): string {
  return presetOf(id).endpoint === '' ? 'typed' : id
}

/** The text in the endpoint's blank; null if the preset has no blank, or the endpoint was changed by hand. */
export function blankOf({ preset, endpoint }: PlaceDraft): string | null {
  const facts = presetOf(preset)
  return facts.blank === undefined ? null : blankIn(facts, endpoint)
}

/** Fills the blank. Extracts the word from a whole address, which is what providers' pages show. */
export function withBlank(draft: PlaceDraft, text: string): PlaceDraft {
  const preset = presetOf(draft.preset)
  const pasted = /^https?:/.test(text) && URL.canParse(text) ? blankIn(preset, new URL(text).origin) : null
  const clean = (pasted ?? text).replace(/[^\w.-]/g, '')
  const endpoint = fillBlank(preset, clean)
  return { ...draft, endpoint, ...(preset.blank?.isRegion === true ? { region: clean } : {}) }
}

/** Sets the region that a service named. */
export function withRegion(draft: PlaceDraft, region: string): PlaceDraft {
  const { blank } = presetOf(draft.preset)
  return blank?.isRegion === true && blankOf(draft) !== null ? withBlank(draft, region) : { ...draft, region }
}

export function withEndpoint(draft: PlaceDraft, text: string): PlaceDraft {
  const endpoint = text.trim()
  return { ...draft, endpoint, ...(isHostBare(endpoint) ? { pathStyle: true } : {}) }
}

/** Chooses a profile. What it tells fills in for what was not entered. */
export function withProfile(
  draft: PlaceDraft,
  { name, region, endpoint }: Pick<AwsProfile, 'name' | 'region' | 'endpoint'>,
): PlaceDraft {
  const named = { ...draft, profile: name }
  const placed = draft.endpoint === '' && endpoint !== '' ? withEndpoint(named, endpoint) : named
  return draft.region === '' && region !== '' ? withRegion(placed, region) : placed
}

/** Adds `https://` to a bare address such as "s3.example.com". Returns the same draft if there is nothing to add. */
export function withScheme(draft: PlaceDraft): PlaceDraft {
  const { endpoint } = draft
  const whole = `https://${endpoint}`
  return endpoint === '' || endpoint.includes('://') || !isHttpUrl(whole) ? draft : withEndpoint(draft, whole)
}

export function withSignIn(draft: PlaceDraft, signIn: SignIn): PlaceDraft {
  const signed = draft.dialect === 's3' ? 'hmac-sha256' : draft.signature === 'none' ? 'hmac-sha1' : draft.signature
  const hasSecret = draft.hasSecret && signIn === 'keys'
  return { ...draft, signIn, hasSecret, signature: signIn === 'anonymous' ? 'none' : signed }
}

/** Whether the form is complete. `known`: the place being edited, whose secret need not be entered again. */
export function isComplete(draft: PlaceDraft, known: Place | null): boolean {
  const { endpoint, bucket } = withScheme(draft)
  const { scheme, region } = signedWords(draft)
  const blank = blankOf(draft)
  const isAddressed = isHttpUrl(endpoint) && (blank !== '' || draft.preset === 'aws')
  const problems = [bucketProblem(bucket), signedWordProblem(region), signedWordProblem(scheme)]
  const isSound = scheme !== '' && problems.every((problem) => problem === null)
  return isAddressed && isSound && canSignIn({ ...draft, endpoint }, known)
}

/** The words in the visible fields, and default values for hidden ones, so that a hidden field is never invalid. */
function signedWords({ dialect, signIn, scheme, region }: PlaceDraft): Pick<NewPlace, 'scheme' | 'region'> {
  const isSchemeShown = dialect === 'storage' && signIn !== 'anonymous'
  return { scheme: isSchemeShown ? scheme : EMPTY.scheme, region: dialect === 's3' ? region : EMPTY.region }
}

function canSignIn({ signIn, profile, accessKeyId, endpoint, hasSecret }: PlaceDraft, known: Place | null): boolean {
  if (signIn === 'anonymous') return true
  if (signIn === 'profile') return profile !== ''
  return accessKeyId !== '' && (hasSecret || keepsSecret({ accessKeyId, endpoint }, known))
}

/** Whether the place keeps its secret, which belongs to its access key and goes only to its address. */
export function keepsSecret(draft: Pick<PlaceDraft, 'accessKeyId' | 'endpoint'>, known: Place | null): boolean {
  if (known === null || (known.lacksSecret === true && known.isLocked !== true)) return false
  const isSame = known.accessKeyId === draft.accessKeyId && placeAddress(known) === placeAddress(draft)
  return known.profile === '' && known.signature !== 'none' && isSame
}

/** The place to send and store, with only what its way of signing in needs, and always with a name. */
export function placeOf(whole: PlaceDraft, secrets: PlaceSecrets): NewPlace {
  const { signIn, hasSecret: _, endpoints: __, ways: ___, ...fields } = whole
  const { label: entered = '', folder: typed = '', ...draft } = fields
  const folder = draft.bucket === '' ? '' : prefixOf('', typed)
  const name = draft.name.trim() || usualName(draft)
  const label = entered.trim()
  const keys = signIn === 'keys' ? secrets : { accessKeyId: '', secretAccessKey: '', sessionToken: '' }
  const profile = signIn === 'profile' ? draft.profile : ''
  return {
    ...draft,
    ...signedWords(whole),
    name,
    ...(label === '' ? {} : { label }),
    ...(folder === '' ? {} : { folder }),
    profile,
    ...keys,
  }
}

/** The name of a place that is given none: its bucket, the provider's name, or the host with any unusual port. */
export function usualName({ bucket, preset, endpoint }: Pick<PlaceDraft, 'bucket' | 'preset' | 'endpoint'>): string {
  if (bucket !== '') return bucket
  const isNamed = presetOf(preset).brand !== undefined
  return isNamed || !isHttpUrl(endpoint) ? serviceName(preset) : new URL(endpoint).host
}

/** Why the text can't be an endpoint; null if it can, or is still empty. */
export function endpointError(draft: PlaceDraft): string | null {
  const { endpoint } = withScheme(draft)
  if (endpoint === '' || isHttpUrl(endpoint)) return null
  return t(/^https?:\/\//.test(endpoint) ? 'places.endpoint.too-long' : 'places.endpoint.no-scheme')
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text.replace(/\/$/, '')
}

/** Whether a bucket can't go in front of the host: an IP address takes none, and "bucket.localhost" rarely resolves. */
function isHostBare(endpoint: string): boolean {
  if (!isHttpUrl(endpoint)) return false
  const { hostname } = new URL(endpoint)
  return hostname === 'localhost' || hostname.startsWith('[') || /^[\d.]+$/.test(hostname)
}
