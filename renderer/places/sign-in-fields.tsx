import { useEffect, useState, type RefObject } from 'react'
import { t } from '../../shared/language/translate.ts'
import type { AwsProfile, Place } from '../../shared/place/place.ts'
import { loadProfiles } from '../state/app-store.ts'
import { run } from '../state/ui/messages.ts'
import { Choice, FieldRow, TextField } from '../ui/fields/fields.tsx'
import { SecretField, secretIn } from '../ui/fields/secret-field.tsx'
import { Select } from '../ui/fields/select.tsx'
import { keepsSecret, withProfile, withScheme, withSignIn, type PlaceDraft, type SignIn } from './place-draft.ts'
import type { FieldsProps } from './place-fields.tsx'

const WAYS: readonly SignIn[] = ['keys', 'profile', 'anonymous']

export interface SignInFieldsProps extends FieldsProps {
  /** The place being edited. */
  readonly known: Place | null
  readonly secretKey: RefObject<HTMLInputElement | null>
}

/** The fields for signing in: with a key, with a profile of this computer (S3 dialect only), or not at all. */
export function SignInFields({ draft, known, secretKey, change }: SignInFieldsProps) {
  const isS3 = draft.dialect === 's3'
  const profiles = useProfiles(isS3)
  const ways = WAYS.filter((way) => way !== 'profile' || (isS3 && profiles.length > 0) || draft.signIn === way)
  return (
    <>
      <Choice
        label={t('places.sign-in')}
        value={draft.signIn}
        options={ways.map((value) => ({ value, label: t(`places.sign-in.${value}`) }))}
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
    <FieldRow>
      <TextField
        isCode
        label={t('places.access-key-id')}
        value={draft.accessKeyId}
        onChange={(accessKeyId) => {
          change({ ...draft, accessKeyId: accessKeyId.trim() })
        }}
      />
      <SecretField
        isCode
        takesFocus={needsSecret(known)}
        label={t('places.secret-key')}
        field={secretKey}
        placeholder={keepsSecret(withScheme(draft), known) ? t('places.secret-key.unchanged') : ''}
        hint={secretHint(draft, known)}
        onChange={() => {
          change({ ...draft, hasSecret: secretIn(secretKey) !== '' })
        }}
      />
    </FieldRow>
  )
}

/** Whether the place's secret has to be entered again. */
export function needsSecret(known: Place | null): boolean {
  return known?.lacksSecret === true && known.isLocked !== true
}

/** Why the key must be entered again, or can't be used now; empty if neither is the case. */
function secretHint(draft: PlaceDraft, known: Place | null): string {
  if (known === null) return ''
  if (needsSecret(known)) return t('places.secret-key.not-saved')
  if (keepsSecret(withScheme(draft), known)) return known.isLocked === true ? t('places.secret-key.locked') : ''
  return known.profile === '' && known.signature !== 'none' ? t('places.secret-key.enter-again') : ''
}

function ProfileField({ draft, profiles, change }: FieldsProps & { readonly profiles: readonly AwsProfile[] }) {
  const named = draft.profile === '' || profiles.some(({ name }) => name === draft.profile) ? [] : [draft.profile]
  return (
    <Select
      label={t('places.profile')}
      value={draft.profile === '' ? null : draft.profile}
      placeholder={t('places.profile.choose')}
      hint={t('places.profile.hint')}
      options={[
        ...named.map((name) => ({ value: name, label: name, detail: t('places.profile.not-there') })),
        ...profiles.map(({ name, kind }) => ({ value: name, label: name, detail: t(`places.profile.${kind}`) })),
      ]}
      onChange={(name) => {
        const profile = profiles.find((each) => each.name === name)
        change(profile === undefined ? { ...draft, profile: name } : withProfile(draft, profile))
      }}
    />
  )
}

function useProfiles(isWanted: boolean): readonly AwsProfile[] {
  const [profiles, setProfiles] = useState<readonly AwsProfile[]>([])
  useEffect(() => {
    if (isWanted) run(loadProfiles().then(setProfiles))
  }, [isWanted])
  return profiles
}
