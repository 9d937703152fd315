import { useEffect, useState, type RefObject } from 'react'
import type { AwsProfile, Place } from '../../shared/place/place.ts'
import { loadProfiles } from '../state/app-store.ts'
import { run } from '../state/ui-store.ts'
import { Choice, TextField } from '../ui/fields.tsx'
import { SecretField, secretIn } from '../ui/secret-field.tsx'
import { Select } from '../ui/select.tsx'
import { keepsSecret, withRegion, withScheme, withSignIn, type PlaceDraft, type SignIn } from './place-draft.ts'
import type { FieldsProps } from './place-fields.tsx'
import styles from './place-sheet.module.css'

const WAYS: readonly { readonly value: SignIn; readonly label: string }[] = [
  { value: 'keys', label: 'Access key' },
  { value: 'profile', label: 'Profile of ~/.aws' },
  { value: 'anonymous', label: 'Anonymous' },
]
const KINDS: Readonly<Record<AwsProfile['kind'], string>> = {
  keys: 'keys',
  sso: 'single sign-on',
  role: 'role',
  process: 'program',
}

export interface SignInFieldsProps extends FieldsProps {
  /** The place that is edited. */
  readonly known: Place | null
  readonly secretKey: RefObject<HTMLInputElement | null>
}

/** How one signs in: with a key, with a profile of this computer where the dialect is S3, or not at all. */
export function SignInFields({ draft, known, secretKey, change }: SignInFieldsProps) {
  const isS3 = draft.dialect === 's3'
  const profiles = useProfiles(isS3)
  const ways = WAYS.filter(
    ({ value }) => value !== 'profile' || (isS3 && profiles.length > 0) || draft.signIn === value,
  )
  return (
    <>
      <Choice
        label="Sign in with"
        value={draft.signIn}
        options={ways}
        onChange={(signIn) => {
          change(withSignIn(draft, signIn))
        }}
      />
      {draft.signIn === 'keys' && <KeyFields {...{ draft, known, secretKey, change }} />}
      {draft.signIn === 'profile' && <ProfileField draft={draft} profiles={profiles} change={change} />}
    </>
  )
}

function KeyFields({ draft, known, secretKey, change }: SignInFieldsProps) {
  return (
    <div className={styles['pair']}>
      <TextField
        isCode
        label="Access key ID"
        value={draft.accessKeyId}
        onChange={(accessKeyId) => {
          change({ ...draft, accessKeyId: accessKeyId.trim() })
        }}
      />
      <SecretField
        isCode
        takesFocus={needsSecret(known)}
        label="Secret key"
        field={secretKey}
        placeholder={keepsSecret(withScheme(draft), known) ? 'Unchanged' : ''}
        hint={secretHint(draft, known)}
        onChange={() => {
          change({ ...draft, hasSecret: secretIn(secretKey) !== '' })
        }}
      />
    </div>
  )
}

/** Whether nothing else is missing of a place. */
export function needsSecret(known: Place | null): boolean {
  return known?.lacksSecret === true && known.isLocked !== true
}

/** Why the key must be entered again, or can't be used now; empty: neither. */
function secretHint(draft: PlaceDraft, known: Place | null): string {
  if (known === null) return ''
  if (needsSecret(known)) return 'Not saved. Enter it again.'
  if (keepsSecret(withScheme(draft), known)) return known.isLocked === true ? 'The keyring can’t be opened now.' : ''
  return known.profile === '' && known.signature !== 'none' ? 'Enter it again for the new address or key ID.' : ''
}

function ProfileField({ draft, profiles, change }: FieldsProps & { readonly profiles: readonly AwsProfile[] }) {
  const named = draft.profile === '' || profiles.some(({ name }) => name === draft.profile) ? [] : [draft.profile]
  return (
    <Select
      label="Profile"
      value={draft.profile === '' ? null : draft.profile}
      placeholder="Choose a profile"
      hint="Its keys are read from this computer whenever they are needed"
      options={[
        ...named.map((name) => ({ value: name, label: name, detail: 'not there' })),
        ...profiles.map(({ name, kind }) => ({ value: name, label: name, detail: KINDS[kind] })),
      ]}
      onChange={(profile) => {
        change(withProfile(draft, profile, profiles))
      }}
    />
  )
}

/** A profile's region is as good as one that is typed, where none was. */
function withProfile(draft: PlaceDraft, profile: string, profiles: readonly AwsProfile[]): PlaceDraft {
  const region = profiles.find(({ name }) => name === profile)?.region ?? ''
  const named = { ...draft, profile }
  return draft.region === '' && region !== '' ? withRegion(named, region) : named
}

function useProfiles(isWanted: boolean): readonly AwsProfile[] {
  const [profiles, setProfiles] = useState<readonly AwsProfile[]>([])
  useEffect(() => {
    if (isWanted) run(loadProfiles().then(setProfiles))
  }, [isWanted])
  return profiles
}
