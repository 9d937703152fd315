import { useState } from 'react'
import { Form } from 'react-aria-components'
import type { NewPlace, Place, SignatureMethod } from '../../shared/place.ts'
import { addCheckedPlace, addPlace, useApp } from '../state/app-store.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox, Choice, TextField } from '../ui/fields.tsx'
import { Sheet, SheetButtons, SheetError } from '../ui/sheet.tsx'
import { useSubmit } from '../ui/use-submit.ts'
import styles from './add-place-sheet.module.css'

const EMPTY: NewPlace = {
  name: '',
  endpoint: '',
  bucket: '',
  dialect: 'storage',
  pathStyle: false,
  scheme: 'STORAGE',
  signature: 'hmac-sha1',
  region: '',
  accessKeyId: '',
  secretAccessKey: '',
}

const SIGNATURES: readonly { readonly value: SignatureMethod; readonly label: string }[] = [
  { value: 'hmac-sha1', label: 'HMAC-SHA1' },
  { value: 'hmac-sha256', label: 'HMAC-SHA256' },
  { value: 'none', label: 'None (anonymous)' },
]

export interface AddPlaceSheetProps {
  /** A place that gets a new key; null: a new place. */
  readonly known: Place | null
  readonly onClose: () => void
}

/** One form for a new place. The secret goes to the main process and is never read back. */
export function AddPlaceSheet({ known, onClose }: AddPlaceSheetProps) {
  const [place, setPlace] = useState<NewPlace>(() => (known === null ? EMPTY : draftOf(known)))
  const isUnprotected = useApp((state) => state.info?.secretsProtected === false)
  const [sent, setSent] = useState<NewPlace | null>(null)
  const { isBusy, error, submit } = useSubmit(onClose)
  // Refused once as it is, a person may know better: a key that may not list, a service that is down.
  const isInsisting = error !== null && sent === place
  const isSigned = place.signature !== 'none'
  const endpointError = place.endpoint === '' || isHttpUrl(place.endpoint) ? null : 'Begins with https:// or http://'
  const isComplete =
    place.name.trim() !== '' &&
    isHttpUrl(place.endpoint) &&
    place.bucket !== '' &&
    (!isSigned || (place.accessKeyId !== '' && place.secretAccessKey !== '' && place.scheme !== ''))

  function set(changes: Partial<NewPlace>): void {
    setPlace((before) => ({ ...before, ...changes }))
  }

  return (
    <Sheet title={known === null ? 'Add a place' : `Update the key of ${known.name}`} onClose={onClose}>
      <Form
        className={styles['form'] ?? ''}
        onSubmit={(event) => {
          event.preventDefault()
          if (!isComplete || isBusy) return
          const named = { ...place, name: place.name.trim() }
          setSent(place)
          submit(() => (isInsisting ? addPlace(named) : addCheckedPlace(named)))
        }}
      >
        <AddressFields place={place} set={set} endpointError={endpointError} />
        <KeyFields place={place} set={set} isSigned={isSigned} />
        {isUnprotected && isSigned && (
          <p className={styles['warning']}>
            This session has no keyring, so the key isn’t stored: after a restart you enter it again.
          </p>
        )}
        <SheetError text={error} />
        <SheetButtons>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" look="solid" isDisabled={!isComplete || isBusy}>
            {isBusy ? 'Checking…' : isInsisting ? 'Save anyway' : 'Save'}
          </Button>
        </SheetButtons>
      </Form>
    </Sheet>
  )
}

interface FieldsProps {
  readonly place: NewPlace
  readonly set: (changes: Partial<NewPlace>) => void
}

function AddressFields({ place, set, endpointError }: FieldsProps & { readonly endpointError: string | null }) {
  return (
    <>
      <div className={styles['pair']}>
        <TextField takesFocus label="Name" value={place.name} placeholder="Studio" onChange={(name) => set({ name })} />
        <TextField label="Bucket" value={place.bucket} placeholder="media" onChange={(bucket) => set({ bucket })} />
      </div>
      <TextField
        isCode
        label="Endpoint"
        value={place.endpoint}
        placeholder="https://storage.example.com"
        error={endpointError}
        onChange={(text) => {
          const endpoint = text.trim()
          set({ endpoint, ...(isHostBare(endpoint) ? { pathStyle: true } : {}) })
        }}
      />
      <Checkbox isSelected={place.pathStyle} onChange={(pathStyle) => set({ pathStyle })}>
        Bucket in the path, not in the host name
      </Checkbox>
    </>
  )
}

function KeyFields({ place, set, isSigned }: FieldsProps & { readonly isSigned: boolean }) {
  return (
    <>
      <Choice
        label="Signature"
        value={place.signature}
        options={SIGNATURES}
        onChange={(signature) => set({ signature })}
      />
      {isSigned && (
        <>
          <div className={styles['pair']}>
            <TextField
              isCode
              label="Access key ID"
              value={place.accessKeyId}
              onChange={(accessKeyId) => set({ accessKeyId: accessKeyId.trim() })}
            />
            <TextField
              isCode
              type="password"
              label="Secret key"
              value={place.secretAccessKey}
              onChange={(secretAccessKey) => set({ secretAccessKey: secretAccessKey.trim() })}
            />
          </div>
          <TextField
            isCode
            label="Scheme word"
            value={place.scheme}
            hint="The first word of the Authorization header"
            onChange={(scheme) => set({ scheme: scheme.trim() })}
          />
        </>
      )}
    </>
  )
}

function draftOf({ id: _, isDemo: __, ...place }: Place): NewPlace {
  return { ...place, secretAccessKey: '' }
}

/** A bucket can't be put before an IP address, and "bucket.localhost" seldom resolves. */
function isHostBare(endpoint: string): boolean {
  if (!isHttpUrl(endpoint)) return false
  const { hostname } = new URL(endpoint)
  return hostname === 'localhost' || hostname.startsWith('[') || /^[\d.]+$/.test(hostname)
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text)
}
