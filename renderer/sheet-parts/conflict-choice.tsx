import { t } from '../../shared/language/translate.ts'
import type { EnqueueUploadFolder } from '../../shared/ipc/ipc-contract.ts'
import { Choice } from '../ui/fields/fields.tsx'

export type OnConflict = EnqueueUploadFolder['onConflict']

const CONFLICTS: readonly OnConflict[] = ['keep-both', 'replace', 'skip', 'skip-identical']

export interface ConflictChoiceProps {
  readonly label: string
  readonly value: OnConflict
  readonly onChange: (value: OnConflict) => void
}

/** What a transfer does where something has the name already: an object its key, or a file its path. */
export function ConflictChoice({ label, value, onChange }: ConflictChoiceProps) {
  const options = CONFLICTS.map((each) => ({
    value: each,
    label: t(`uploads.conflict.${each}`),
    detail: t(`uploads.conflict.${each}-detail`),
  }))
  return <Choice label={label} value={value} options={options} onChange={onChange} />
}
