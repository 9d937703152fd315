import { useState } from 'react'
import { request } from '../bridge.ts'
import { run, showToast } from '../state/ui-store.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/fields.tsx'
import { Sheet, SheetButtons } from '../ui/sheet.tsx'

/** Says what a report holds, and saves one. */
export function ReportSheet({ onClose }: { readonly onClose: () => void }) {
  const [withNames, setWithNames] = useState(false)

  async function save(): Promise<void> {
    const { path } = await request('report:save', { withNames })
    if (path === null) return
    onClose()
    showToast('Report saved.')
  }

  return (
    <Sheet title="Save report" onClose={onClose}>
      <p>
        A text file for people who help you: versions, settings, places, transfers and the latest log. It never holds
        keys, passwords or signatures, and it stays on this computer until you send it.
      </p>
      <Checkbox isSelected={withNames} onChange={setWithNames}>
        Include names of files, objects, buckets and places
      </Checkbox>
      <SheetButtons>
        <Button onPress={onClose}>Cancel</Button>
        <Button takesFocus look="solid" onPress={() => run(save())}>
          Save…
        </Button>
      </SheetButtons>
    </Sheet>
  )
}
