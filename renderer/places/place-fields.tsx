import type { RefObject } from 'react'
import type { SignatureMethod } from '../../shared/place/place.ts'
import { Checkbox, Choice, TextField } from '../ui/fields.tsx'
import { SecretField } from '../ui/secret-field.tsx'
import { Select } from '../ui/select.tsx'
import { blankOf, endpointError, withBlank, withEndpoint, withPreset, type PlaceDraft } from './place-draft.ts'
import { PRESET_OPTIONS, presetOf } from './presets.ts'
import styles from './place-sheet.module.css'

const SIGNATURES: readonly { readonly value: SignatureMethod; readonly label: string }[] = [
  { value: 'hmac-sha1', label: 'HMAC-SHA1' },
  { value: 'hmac-sha256', label: 'HMAC-SHA256' },
]

export interface FieldsProps {
  readonly draft: PlaceDraft
  readonly change: (draft: PlaceDraft) => void
}

/** Which service, where it is, and which bucket of it. */
export function AddressFields({ draft, takesFocus, change }: FieldsProps & { readonly takesFocus: boolean }) {
  const preset = presetOf(draft.preset)
  const word = blankOf(draft)
  return (
    <>
      <div className={styles['pair']}>
        <Select
          takesFocus={takesFocus}
          label="Service"
          value={draft.preset}
          options={PRESET_OPTIONS}
          onChange={(id) => {
            change(withPreset(draft, id))
          }}
        />
        <TextField
          label="Name"
          value={draft.name}
          placeholder={draft.bucket || preset.label}
          onChange={(name) => {
            change({ ...draft, name })
          }}
        />
      </div>
      <div className={styles['pair']}>
        {isEndpointTyped(draft) && <EndpointField draft={draft} change={change} />}
        {preset.blank !== undefined && word !== null && (
          <TextField
            isCode
            label={preset.blank.label}
            value={word}
            placeholder={preset.blank.placeholder}
            {...(preset.blank.hint === undefined ? {} : { hint: preset.blank.hint })}
            onChange={(text) => {
              change(withBlank(draft, text))
            }}
          />
        )}
        <TextField
          label="Bucket"
          value={draft.bucket}
          placeholder="All buckets"
          onChange={(bucket) => {
            change({ ...draft, bucket: bucket.trim() })
          }}
        />
      </div>
    </>
  )
}

function EndpointField({ draft, change }: FieldsProps) {
  return (
    <TextField
      isCode
      label="Endpoint"
      value={blankOf(draft) === '' && draft.preset !== 'aws' ? '' : draft.endpoint}
      placeholder={presetOf(draft.preset).placeholder ?? 'https://s3.example.com'}
      error={endpointError(draft)}
      onChange={(text) => {
        change(withEndpoint(draft, text))
      }}
    />
  )
}

export interface AdvancedFieldsProps extends FieldsProps {
  readonly sessionToken: RefObject<HTMLInputElement | null>
}

/** What the preset says well enough for most. */
export function AdvancedFields({ draft, sessionToken, change }: AdvancedFieldsProps) {
  const isRegionShown = presetOf(draft.preset).blank?.isRegion === true && blankOf(draft) !== null
  return (
    <>
      {!isEndpointTyped(draft) && <EndpointField draft={draft} change={change} />}
      <Checkbox
        isSelected={draft.pathStyle}
        onChange={(pathStyle) => {
          change({ ...draft, pathStyle })
        }}
      >
        Bucket in the path, not in the host name
      </Checkbox>
      {draft.dialect === 'storage' && <SchemeFields draft={draft} change={change} />}
      {draft.dialect === 's3' && !isRegionShown && (
        <TextField
          isCode
          label="Region"
          value={draft.region}
          placeholder="us-east-1"
          hint="Usually detected automatically"
          onChange={(region) => {
            change({ ...draft, region: region.trim() })
          }}
        />
      )}
      {draft.dialect === 's3' && draft.signIn === 'keys' && (
        <SecretField
          isCode
          label="Session token"
          field={sessionToken}
          hint="For temporary credentials only"
          onChange={() => {
            change({ ...draft })
          }}
        />
      )}
    </>
  )
}

function SchemeFields({ draft, change }: FieldsProps) {
  if (draft.signIn === 'anonymous') return null
  return (
    <>
      <Choice
        label="Signature"
        value={draft.signature}
        options={SIGNATURES}
        onChange={(signature) => {
          change({ ...draft, signature })
        }}
      />
      <TextField
        isCode
        label="Scheme word"
        value={draft.scheme}
        hint="The first word of the Authorization header"
        onChange={(scheme) => {
          change({ ...draft, scheme: scheme.trim() })
        }}
      />
    </>
  )
}

/** Presets know the addresses of hosted services. */
function isEndpointTyped({ preset }: PlaceDraft): boolean {
  return presetOf(preset).endpoint === ''
}
