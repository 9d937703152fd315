import type { RefObject } from 'react'
import { t } from '../../shared/language/translate.ts'
import type { SignatureMethod } from '../../shared/place/place.ts'
import { Checkbox, Choice, FieldRow, TextField } from '../ui/fields/fields.tsx'
import { SecretField } from '../ui/fields/secret-field.tsx'
import { Select } from '../ui/fields/select.tsx'
import {
  blankOf,
  endpointError,
  usualName,
  withBlank,
  withEndpoint,
  withPreset,
  type PlaceDraft,
} from './place-draft.ts'
import { bucketProblem, signedWordProblem } from '../words/place-words.ts'
import { presetOf, serviceOptions } from './presets.ts'

const SIGNATURES: readonly SignatureMethod[] = ['hmac-sha1', 'hmac-sha256']
const SOME_ENDPOINT = 'https://s3.example.com'
const SOME_REGION = 'us-east-1'

export interface FieldsProps {
  readonly draft: PlaceDraft
  readonly change: (draft: PlaceDraft) => void
}

export interface AddressFieldsProps extends FieldsProps {
  readonly takesFocus: boolean
  readonly bucketField: RefObject<HTMLInputElement | null>
}

/** The fields for the service, its address and the bucket. */
export function AddressFields({ draft, takesFocus, bucketField, change }: AddressFieldsProps) {
  const preset = presetOf(draft.preset)
  const word = blankOf(draft)
  return (
    <>
      <FieldRow>
        <Select
          takesFocus={takesFocus}
          label={t('places.service')}
          value={draft.preset}
          options={serviceOptions()}
          onChange={(id) => {
            change(withPreset(draft, id))
          }}
        />
        <TextField
          label={t('places.name')}
          value={draft.name}
          placeholder={usualName(draft)}
          onChange={(name) => {
            change({ ...draft, name })
          }}
        />
      </FieldRow>
      <FieldRow>
        {isEndpointTyped(draft) && <EndpointField draft={draft} change={change} />}
        {preset.blank !== undefined && word !== null && (
          <TextField
            isCode
            label={t(preset.blank.label)}
            value={word}
            placeholder={preset.blank.example}
            {...(preset.blank.hint === undefined ? {} : { hint: t(preset.blank.hint) })}
            onChange={(text) => {
              change(withBlank(draft, text))
            }}
          />
        )}
        <TextField
          label={t('places.bucket')}
          value={draft.bucket}
          placeholder={t('places.bucket.all')}
          error={bucketProblem(draft.bucket)}
          inputRef={bucketField}
          onChange={(bucket) => {
            change({ ...draft, bucket: bucket.trim() })
          }}
        />
      </FieldRow>
    </>
  )
}

function EndpointField({ draft, change }: FieldsProps) {
  return (
    <TextField
      isCode
      label={t('places.endpoint')}
      value={blankOf(draft) === '' && draft.preset !== 'aws' ? '' : draft.endpoint}
      placeholder={presetOf(draft.preset).example ?? SOME_ENDPOINT}
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

/** The fields that most people can leave as the preset has them. */
export function AdvancedFields({ draft, sessionToken, change }: AdvancedFieldsProps) {
  const isRegionShown = presetOf(draft.preset).blank?.isRegion === true && blankOf(draft) !== null
  return (
    <>
      {!isEndpointTyped(draft) && <EndpointField draft={draft} change={change} />}
      {draft.bucket !== '' && (
        <TextField
          isCode
          label={t('places.folder')}
          value={draft.folder ?? ''}
          placeholder={t('places.folder.all')}
          hint={t('places.folder.hint')}
          onChange={(folder) => {
            change({ ...draft, folder })
          }}
        />
      )}
      <Checkbox
        isSelected={draft.pathStyle}
        onChange={(pathStyle) => {
          change({ ...draft, pathStyle })
        }}
      >
        {t('places.path-style')}
      </Checkbox>
      {draft.dialect === 'storage' && <SchemeFields draft={draft} change={change} />}
      {draft.dialect === 's3' && !isRegionShown && (
        <TextField
          isCode
          label={t('places.region')}
          value={draft.region}
          placeholder={SOME_REGION}
          hint={t('places.region.hint')}
          error={signedWordProblem(draft.region)}
          onChange={(region) => {
            change({ ...draft, region: region.trim() })
          }}
        />
      )}
      {draft.dialect === 's3' && draft.signIn === 'keys' && (
        <SecretField
          isCode
          label={t('places.session-token')}
          field={sessionToken}
          hint={t('places.session-token.hint')}
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
        label={t('places.signature')}
        value={draft.signature}
        options={SIGNATURES.map((value) => ({ value, label: value.toUpperCase() }))}
        onChange={(signature) => {
          change({ ...draft, signature })
        }}
      />
      <TextField
        isCode
        label={t('places.scheme')}
        value={draft.scheme}
        hint={t('places.scheme.hint')}
        error={signedWordProblem(draft.scheme)}
        onChange={(scheme) => {
          change({ ...draft, scheme: scheme.trim() })
        }}
      />
    </>
  )
}

/** Whether the endpoint has to be typed. Presets know the addresses of hosted services. */
function isEndpointTyped({ preset }: PlaceDraft): boolean {
  return presetOf(preset).endpoint === ''
}
