import { useState } from 'react'
import { t } from '../../shared/language/translate.ts'
import { visibleText } from '../../shared/visible-text.ts'
import { makeFolder } from '../actions/browse-actions.ts'
import { useBrowse } from '../state/browse-store.ts'
import type { BrowseLocation } from '../state/objects/location.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields/fields.tsx'
import { useSubmit } from '../ui/hooks/use-submit.ts'
import { Sheet, SheetButtons, SheetError, SheetForm } from '../ui/overlays/sheet.tsx'

export interface NewFolderSheetProps {
  readonly location: BrowseLocation
  readonly onClose: () => void
}

/** Asks for the name of a new folder. */
export function NewFolderSheet({ location, onClose }: NewFolderSheetProps) {
  const [name, setName] = useState('')
  const { isBusy, error, submit } = useSubmit(onClose)
  const isTaken = useBrowse(({ listing }) => listing.entries.some(({ key }) => key === `${location.prefix}${name}/`))
  const isUsable = name !== '' && !isTaken && !name.startsWith('/') && !name.endsWith('/')
  return (
    <Sheet title={t('browser.new-folder.title')} onClose={onClose}>
      <SheetForm
        onSubmit={() => {
          if (isUsable && !isBusy) submit(() => makeFolder(location, name))
        }}
      >
        <TextField
          takesFocus
          label={t('browser.name')}
          value={name}
          error={isTaken ? t('browser.new-folder.taken') : null}
          hint={
            name === ''
              ? t('browser.new-folder.hint')
              : t('browser.new-folder.path', { path: visibleText(`${location.prefix}${name}/`) })
          }
          onChange={setName}
        />
        <SheetError text={error} />
        <SheetButtons>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" look="solid" isDisabled={!isUsable || isBusy}>
            {t('browser.new-folder.create')}
          </Button>
        </SheetButtons>
      </SheetForm>
    </Sheet>
  )
}
