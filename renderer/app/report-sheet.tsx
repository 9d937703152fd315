import { useState } from 'react'
import { t } from '../../shared/language/translate.ts'
import { request } from '../bridge.ts'
import { run, showToast } from '../state/ui/messages.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/fields/fields.tsx'
import { Sheet, SheetButtons } from '../ui/overlays/sheet.tsx'

/** Says what a report contains, and saves one. */
export function ReportSheet({ onClose }: { readonly onClose: () => void }) {
  const [withNames, setWithNames] = useState(false)

  async function save(): Promise<void> {
    const { path } = await request('report:save', { withNames })
    if (path === null) return
    onClose()
    showToast(() => t('app.report.saved'))
  }

  return (
    <Sheet title={t('app.report.title')} onClose={onClose}>
      <p>{t('app.report.holds')}</p>
      <Checkbox isSelected={withNames} onChange={setWithNames}>
        {t('app.report.with-names')}
      </Checkbox>
      <SheetButtons>
        <Button onPress={onClose}>{t('common.cancel')}</Button>
        <Button takesFocus look="solid" onPress={() => run(save())}>
          {t('app.report.save')}
        </Button>
      </SheetButtons>
    </Sheet>
  )
}
