import type { EnqueueUploadFolder } from '../../shared/ipc/ipc-contract.ts'
import { Choice } from '../ui/fields.tsx'

export type OnConflict = EnqueueUploadFolder['onConflict']

const CONFLICTS: readonly { readonly value: OnConflict; readonly label: string }[] = [
  { value: 'keep-both', label: 'Keep both' },
  { value: 'replace', label: 'Replace' },
  { value: 'skip', label: 'Skip' },
  { value: 'skip-identical', label: 'Skip identical files, keep both otherwise' },
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
