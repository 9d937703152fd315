import { t } from '../../shared/language/translate.ts'
import type { EnqueueUploadFolder } from '../../shared/ipc/ipc-contract.ts'
import { Choice } from '../ui/fields/fields.tsx'

export type OnConflict = EnqueueUploadFolder['onConflict']

const CONFLICTS = {
  download: ['keep-both', 'replace', 'skip', 'skip-identical'],
  // What is there already is not sent once more, unless it is to be replaced.
  upload: ['keep-both', 'replace', 'skip'],
} as const satisfies Record<string, readonly OnConflict[]>

export interface ConflictChoiceProps {
  readonly direction: keyof typeof CONFLICTS
  readonly label: string
  readonly value: OnConflict
  readonly onChange: (value: OnConflict) => void
}

/** What a transfer does where something has the name already: an object its key, or a file its path. */
export function ConflictChoice({ direction, label, value, onChange }: ConflictChoiceProps) {
  const options = CONFLICTS[direction].map((each) => ({
    value: each,
    label: t(`uploads.conflict.${each}`),
    detail: detailOf(each, direction),
  }))
  return <Choice label={label} value={value} options={options} onChange={onChange} />
}

function detailOf(choice: OnConflict, direction: keyof typeof CONFLICTS): string {
  if (choice === 'keep-both' && direction === 'upload') return t('uploads.conflict.keep-both-unless-same')
  return t(`uploads.conflict.${choice}-detail`)
}
