import { t } from '../../shared/language/translate.ts'
import { CONFLICTS, type Conflict } from '../../shared/conflict.ts'
import { Choice } from '../ui/fields/fields.tsx'

const OFFERED = {
  download: CONFLICTS,
  // Without `skip-identical`: an identical object is not sent again anyway, unless it is to be replaced.
  upload: ['keep-both', 'replace', 'skip'],
} as const satisfies Record<string, readonly Conflict[]>

export interface ConflictChoiceProps {
  readonly direction: keyof typeof OFFERED
  readonly label: string
  readonly value: Conflict
  readonly onChange: (value: Conflict) => void
}

/** A choice of what a transfer does if an object already has its key, or a file its path. */
export function ConflictChoice({ direction, label, value, onChange }: ConflictChoiceProps) {
  const options = OFFERED[direction].map((each) => ({
    value: each,
    label: t(`sheets.conflict.${each}`),
    detail: detailOf(each, direction),
  }))
  return <Choice label={label} value={value} options={options} onChange={onChange} />
}

function detailOf(choice: Conflict, direction: keyof typeof OFFERED): string {
  if (choice === 'keep-both' && direction === 'upload') return t('sheets.conflict.keep-both-unless-same')
  return t(`sheets.conflict.${choice}-detail`)
}
