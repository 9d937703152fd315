import { useState } from 'react'
import { TextField } from '../ui/fields.tsx'
import type { FieldsProps } from './place-fields.tsx'
import { readAddress } from './quick-address.ts'

/** One address that fills in the form as it is typed or pasted. */
export function QuickAddressField({ draft, change }: FieldsProps) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string | null>(null)

  function take(typed: string): void {
    setText(typed)
    setProblem(null)
    const address = readAddress(typed)
    if (address.kind === 'place') change(address.fill(draft))
  }

  /** What is still being typed is no problem yet. */
  function judge(): void {
    const address = text.trim() === '' ? null : readAddress(text)
    setProblem(address?.kind === 'problem' ? address.words : null)
  }

  return (
    <TextField
      isCode
      takesFocus
      label="Address"
      value={text}
      placeholder="https://host/bucket or s3://bucket"
      hint="Optional. Fills in the fields below."
      error={problem}
      onChange={take}
      onBlur={judge}
    />
  )
}
