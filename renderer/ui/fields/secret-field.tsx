import { useEffect, useId, type RefObject } from 'react'
import { Input } from 'react-aria-components'
import { cx } from '../cx.ts'
import styles from './fields.module.css'

export interface SecretFieldProps {
  readonly label: string
  /** The input, which is the only holder of the text. */
  readonly field: RefObject<HTMLInputElement | null>
  readonly placeholder?: string
  readonly hint?: string
  /** Takes focus when its sheet opens. */
  readonly takesFocus?: boolean
  /** Monospace, for keys. */
  readonly isCode?: boolean
  /** Called when the text changes. */
  readonly onChange: () => void
}

/** A field for a secret. Its text is in no state: it is read when it is sent, and disappears with the field. */
export function SecretField(props: SecretFieldProps) {
  const { label, field, placeholder = '', hint = '', takesFocus = false, isCode = false, onChange } = props
  const id = useId()
  useEffect(() => {
    const input = field.current
    return () => {
      if (input !== null) input.value = ''
    }
  }, [field])
  return (
    <div className={styles['field']}>
      <label htmlFor={id} className={styles['label']}>
        {label}
      </label>
      <Input
        id={id}
        ref={field}
        {...{ autoFocus: takesFocus }}
        type="password"
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        className={cx(styles['input'], isCode && styles['code'])}
        onInput={onChange}
        {...(hint === '' ? {} : { 'aria-describedby': `${id}-hint` })}
      />
      {hint !== '' && (
        <span id={`${id}-hint`} className={styles['hint']}>
          {hint}
        </span>
      )}
    </div>
  )
}

/** The present text of a secret's field, without blanks around it. */
export function secretIn(field: RefObject<HTMLInputElement | null>): string {
  return field.current?.value.trim() ?? ''
}
