import { useState } from 'react'
import type { MessageKey } from '../../shared/language/english.ts'
import { t } from '../../shared/language/translate.ts'
import { TextField } from '../ui/fields/fields.tsx'
import type { FieldsProps } from './place-fields.tsx'
import { readAddress } from './quick-address.ts'

/** A field for one address that fills in the form as it is typed or pasted. */
export function QuickAddressField({ draft, change }: FieldsProps) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<MessageKey | null>(null)

  function take(typed: string): void {
    setText(typed)
    setProblem(null)
    const address = readAddress(typed)
    if (address.kind === 'place') change(address.fill(draft))
  }

  /** Checks the address only when the field is left: while it is being typed, it is not a problem yet. */
  function judge(): void {
    const address = text.trim() === '' ? null : readAddress(text)
    setProblem(address?.kind === 'problem' ? address.problem : null)
  }

  return (
    <TextField
      isCode
      takesFocus
      label={t('places.address')}
      value={text}
      placeholder={t('places.address.example')}
      hint={t('places.address.hint')}
      error={problem === null ? null : t(problem)}
      onChange={take}
      onBlur={judge}
    />
  )
}
