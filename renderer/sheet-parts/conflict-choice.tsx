import type { EnqueueUploadFolder } from '../../shared/ipc/ipc-contract.ts'
import { Choice } from '../ui/fields.tsx'

export type OnConflict = EnqueueUploadFolder['onConflict']

const CONFLICTS: readonly { readonly value: OnConflict; readonly label: string; readonly detail: string }[] = [
  { value: 'keep-both', label: 'Keep both', detail: 'The new file gets a number after its name.' },
  { value: 'replace', label: 'Replace', detail: 'The existing file is overwritten.' },
  { value: 'skip', label: 'Skip', detail: 'The existing file stays, whatever is in it.' },
  {
    value: 'skip-identical',
    label: 'Skip identical files, keep both otherwise',
    detail: 'Contents are compared first.',
  },
]

export interface ConflictChoiceProps {
  readonly label: string
  readonly value: OnConflict
  readonly onChange: (value: OnConflict) => void
}

/** What a transfer does where something has the name already: an object its key, or a file its path. */
export function ConflictChoice({ label, value, onChange }: ConflictChoiceProps) {
  return <Choice label={label} value={value} options={CONFLICTS} onChange={onChange} />
}
