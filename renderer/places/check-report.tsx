import { useEffect, useRef } from 'react'
import { Check, Minus, X } from 'lucide-react'
import { worded } from '../../shared/language/message.ts'
import { t } from '../../shared/language/translate.ts'
import type { CheckRemedy, CheckStep, PlaceCheck } from '../../shared/place/place-check.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import styles from './check-report.module.css'

const GLYPHS = { passed: Check, failed: X, open: Minus }

export interface CheckReportProps {
  readonly check: PlaceCheck
  readonly onApply: (remedy: CheckRemedy) => void
}

/** The steps of a test with ticks, and the failed step with what to do about it. */
export function CheckReport({ check, onApply }: CheckReportProps) {
  const report = useRef<HTMLDivElement>(null)
  useEffect(() => {
    report.current?.scrollIntoView({ block: 'nearest' })
  }, [check])
  return (
    <div ref={report} role="status" className={styles['report']}>
      <ul className={styles['steps']}>
        {check.steps.map((step) => (
          <Step key={step.name} step={step} remedy={check.remedy} onApply={onApply} />
        ))}
      </ul>
    </div>
  )
}

interface StepProps {
  readonly step: CheckStep
  readonly remedy: CheckRemedy | null
  readonly onApply: (remedy: CheckRemedy) => void
}

function Step({ step: { name, state, words }, remedy, onApply }: StepProps) {
  const Glyph = GLYPHS[state]
  const title = t(`places.check.${name}`)
  return (
    <li className={cx(styles['step'], styles[state])} aria-label={t('places.check.spoken', { step: title, state })}>
      <Glyph size={14} aria-hidden className={styles['glyph']} />
      <span className={styles['title']}>{title}</span>
      <span className={styles['words']}>{words === null ? '' : worded(words)}</span>
      {state === 'failed' && remedy !== null && (
        <Button
          onPress={() => {
            onApply(remedy)
          }}
        >
          {worded(remedy.label)}
        </Button>
      )}
    </li>
  )
}
