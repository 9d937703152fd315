import { t } from '../../shared/language/translate.ts'
import { MAX_PLACE_LABEL } from '../../shared/limits.ts'
import { isSound } from '../../shared/place/place-check.ts'
import type { Place } from '../../shared/place/place.ts'
import { CertificateSheet } from '../sheet-parts/certificate-sheet.tsx'
import { FolderField } from '../sheet-parts/folder-field.tsx'
import { UnlockKeyring } from '../sheet-parts/unlock-keyring.tsx'
import { downloadsFolderOf, placeById, useApp } from '../state/app-store.ts'
import { Button } from '../ui/button.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { TextField } from '../ui/fields/fields.tsx'
import { Sheet, SheetButtons, SheetError, SheetForm } from '../ui/overlays/sheet.tsx'
import { CheckReport } from './check-report.tsx'
import { ColorChoice } from './color-choice.tsx'
import { QuickAddressField } from './address-field.tsx'
import { AddressFields, AdvancedFields, type FieldsProps } from './place-fields.tsx'
import { unsealedWords } from '../words/keyring-words.ts'
import { needsSecret, SignInFields } from './sign-in-fields.tsx'
import { usePlaceForm, type PlaceForm, type PlaceSources } from './use-place-form.ts'
import styles from './place-sheet.module.css'

export interface PlaceSheetProps {
  /** The place being edited; left out: a new one. */
  readonly known: Place | undefined
  /** The place that a new one is filled in like. */
  readonly like: Place | undefined
  readonly onClose: () => void
}

interface FormSheetProps extends PlaceSources {
  readonly form: PlaceForm
  readonly onClose: () => void
}

/** The form of a place. Secrets go to the main process and are never read back. */
export function PlaceSheet({ known: opened, like: original, onClose }: PlaceSheetProps) {
  // The place as it is now: the keyring may have been unlocked since the sheet opened.
  const known = useApp((state) => placeById(state, opened?.id ?? null)) ?? opened ?? null
  const like = useApp((state) => placeById(state, original?.id ?? null)) ?? original ?? null
  const form = usePlaceForm({ known, like }, onClose)
  const { certificate, test, hideCertificate } = form
  return (
    <>
      <FormSheet form={form} known={known} like={like} onClose={onClose} />
      {/* Over the form, which keeps what was entered. */}
      {certificate !== null && <CertificateSheet subject={certificate} onTrusted={test} onClose={hideCertificate} />}
    </>
  )
}

function FormSheet({ form, known, like, onClose }: FormSheetProps) {
  const { draft, check, busy, error, bucketField, change } = form
  /** The place whose secrets stay. */
  const source = known ?? like
  const keyring = useApp((state) => state.info?.keyring ?? 'ready')
  return (
    <Sheet isForm width="wide" title={titleOf(known, like)} onClose={onClose}>
      <SheetForm
        onSubmit={() => {
          if (form.isComplete) form.save()
        }}
      >
        {known === null && like === null && <QuickAddressField draft={draft} change={change} />}
        <AddressFields {...{ draft, bucketField, change }} takesFocus={source !== null && !needsSecret(source)} />
        <SignInFields draft={draft} known={source} secretKey={form.secretKey} change={change} />
        <div className={styles['marks']}>
          <TextField
            label={t('places.label')}
            value={draft.label ?? ''}
            maxLength={MAX_PLACE_LABEL}
            placeholder={t('places.label.example')}
            onChange={(label) => {
              change({ ...draft, label })
            }}
          />
          <ColorChoice
            value={draft.color}
            onChange={(color) => {
              change({ ...draft, color })
            }}
          />
        </div>
        <DownloadsFolder draft={draft} change={change} />
        <Disclosure title={t('places.sheet.advanced')}>
          <AdvancedFields draft={draft} sessionToken={form.sessionToken} change={change} />
        </Disclosure>
        {keyring !== 'ready' && draft.signIn === 'keys' && (
          <p className={styles['warning']}>{unsealedWords(keyring, 'key')}</p>
        )}
        {keyring === 'locked' && draft.signIn === 'keys' && (
          <p>
            <UnlockKeyring />
          </p>
        )}
        {check !== null && <CheckReport check={check} onApply={form.apply} />}
        <SheetError text={error} />
        <SheetButtons>
          {/* Not disabled during a test, because the focused button would lose the focus. */}
          <Button isDisabled={!form.isComplete} onPress={form.test}>
            {t(busy === 'test' ? 'places.sheet.testing' : 'places.sheet.test')}
          </Button>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          {/* After a failed test, saving is no longer the main button. */}
          <Button
            type="submit"
            look={check === null || isSound(check) ? 'solid' : 'outline'}
            isDisabled={!form.isComplete}
          >
            {saveLabel(form)}
          </Button>
        </SheetButtons>
      </SheetForm>
    </Sheet>
  )
}

function titleOf(known: Place | null, like: Place | null): string {
  if (known !== null) return t('places.sheet.edit', { name: known.name })
  return like === null ? t('places.sheet.add') : t('places.sheet.duplicate', { name: like.name })
}

function DownloadsFolder({ draft, change }: FieldsProps) {
  const { downloadsFolder: own, ...others } = draft
  const general = useApp((state) => downloadsFolderOf(state, null))
  return (
    <FolderField
      label={t('places.sheet.downloads-folder')}
      folder={own ?? general}
      onChange={(downloadsFolder) => {
        change({ ...draft, downloadsFolder })
      }}
      onClear={own === undefined ? undefined : () => change(others)}
    />
  )
}

function saveLabel({ busy, check, twin }: PlaceForm): string {
  if (twin !== null && busy === null) return t('places.sheet.update', { name: twin.name })
  if (busy === 'save') return t(check === null ? 'places.sheet.checking' : 'places.sheet.saving')
  return t(check === null || isSound(check) ? 'common.save' : 'places.sheet.save-anyway')
}
