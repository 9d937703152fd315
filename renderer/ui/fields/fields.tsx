import { useId, type ReactNode, type RefObject } from 'react'
import {
  Checkbox as AriaCheckbox,
  type TextFieldProps as AriaTextFieldProps,
  FieldError,
  Input,
  Label,
  Radio,
  RadioGroup,
  SearchField as AriaSearchField,
  Text,
  TextArea,
  TextField as AriaTextField,
} from 'react-aria-components'
import { Check, Search } from 'lucide-react'
import { cx } from '../cx.ts'
import styles from './fields.module.css'

type KeyboardEvent = Parameters<NonNullable<AriaTextFieldProps['onKeyDown']>>[0]

export interface TextFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly hint?: string
  readonly type?: 'text' | 'password' | 'url' | 'number' | 'time'
  readonly isRequired?: boolean
  readonly isReadOnly?: boolean
  /** Takes focus when its sheet opens. */
  readonly takesFocus?: boolean
  readonly placeholder?: string
  /** The most that can be typed, UTF-16 units. */
  readonly maxLength?: number
  /** More than one line makes it a text area. */
  readonly lines?: number
  /** Values that are offered; others can be typed. */
  readonly suggestions?: readonly string[]
  /** Monospace, for keys and addresses. */
  readonly isCode?: boolean
  /** Why this value can't be used, or null. */
  readonly error?: string | null
  /** The input element, to give it focus. */
  readonly inputRef?: RefObject<HTMLInputElement | null>
  /** Called when focus leaves the field. */
  readonly onBlur?: () => void
  /** Called on Return, in place of submitting the form. */
  readonly onReturn?: () => void
}

/** A labeled text field. */
export function TextField(props: TextFieldProps) {
  const { label, hint, placeholder, lines = 1, isCode = false, error = null, takesFocus = false, ...rest } = props
  const { onReturn, inputRef, suggestions = [], ...field } = rest
  const listId = useId()
  const input = cx(styles['input'], isCode && styles['code'])
  const extra = placeholder === undefined ? {} : { placeholder }
  return (
    <AriaTextField
      {...field}
      {...(onReturn === undefined ? {} : { onKeyDown: onReturnKey(onReturn) })}
      isInvalid={error !== null}
      {...{ autoFocus: takesFocus }}
      className={styles['field'] ?? ''}
    >
      <Label className={styles['label'] ?? ''}>{label}</Label>
      {lines > 1 ? (
        <TextArea {...extra} rows={lines} className={input} spellCheck={false} />
      ) : (
        <Input
          {...extra}
          {...(inputRef === undefined ? {} : { ref: inputRef })}
          {...(suggestions.length === 0 ? {} : { list: listId })}
          className={input}
          spellCheck={false}
          autoComplete="off"
        />
      )}
      {suggestions.length > 0 && (
        <datalist id={listId}>
          {suggestions.map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      )}
      {hint !== undefined && error === null && (
        <Text slot="description" className={styles['hint'] ?? ''}>
          {hint}
        </Text>
      )}
      <FieldError className={styles['error'] ?? ''}>{error}</FieldError>
    </AriaTextField>
  )
}

function onReturnKey(onReturn: () => void) {
  return (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return event.continuePropagation()
    event.preventDefault()
    onReturn()
  }
}

/** Fields beside each other; where there is little room, below each other. */
export function FieldRow({ children }: { readonly children: ReactNode }) {
  return <div className={styles['row']}>{children}</div>
}

export interface SearchFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly id?: string
  readonly takesFocus?: boolean
  /** Called on Return. */
  readonly onSubmit?: (value: string) => void
  /** Called on Esc while the field is empty. */
  readonly onLeave?: () => void
}

/** A search box. Esc empties it. */
export function SearchField(props: SearchFieldProps) {
  const { label, value, onChange, id, takesFocus = false, onSubmit, onLeave } = props
  return (
    <AriaSearchField
      aria-label={label}
      value={value}
      onChange={onChange}
      {...(onSubmit === undefined ? {} : { onSubmit })}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && value === '') onLeave?.()
        // The window's shortcuts work here, too.
        event.continuePropagation()
      }}
      {...{ autoFocus: takesFocus }}
      className={styles['search'] ?? ''}
    >
      <Search size={14} aria-hidden />
      <Input
        {...(id === undefined ? {} : { id })}
        placeholder={label}
        className={styles['searchInput'] ?? ''}
        spellCheck={false}
      />
    </AriaSearchField>
  )
}

export interface CheckboxProps {
  readonly children?: ReactNode
  /** The accessible name if there are no words beside the box. */
  readonly label?: string
  readonly isSelected: boolean
  readonly isDisabled?: boolean
  readonly isIndeterminate?: boolean
  readonly onChange: (isSelected: boolean) => void
}

export function Checkbox({ children, label, ...rest }: CheckboxProps) {
  return (
    <AriaCheckbox
      {...rest}
      {...(label === undefined ? {} : { 'aria-label': label })}
      className={styles['checkbox'] ?? ''}
    >
      <span className={styles['box']} aria-hidden>
        <Check size={12} strokeWidth={3} />
      </span>
      {children}
    </AriaCheckbox>
  )
}

export interface ChoiceProps<Value extends string> {
  readonly label: string
  readonly value: Value
  /** Options with a detail, a sentence each, are placed below each other. */
  readonly options: readonly { readonly value: Value; readonly label: string; readonly detail?: string }[]
  readonly onChange: (value: Value) => void
}

/** A choice of one of a few options, all visible. */
export function Choice<Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) {
  const id = useId()
  const detailId = (option: string) => `${id}-${option}`
  return (
    <RadioGroup
      value={value}
      className={styles['field'] ?? ''}
      onChange={(next) => {
        const option = options.find((each) => each.value === next)
        if (option !== undefined) onChange(option.value)
      }}
    >
      <Label className={styles['label'] ?? ''}>{label}</Label>
      <div className={cx(styles['options'], options.some(({ detail }) => detail !== undefined) && styles['detailed'])}>
        {options.map((option) => (
          <Radio
            key={option.value}
            value={option.value}
            className={styles['option'] ?? ''}
            {...(option.detail === undefined
              ? {}
              : { 'aria-label': option.label, 'aria-describedby': detailId(option.value) })}
          >
            <span>
              {option.label}
              {option.detail !== undefined && (
                <span id={detailId(option.value)} className={styles['optionDetail']}>
                  {option.detail}
                </span>
              )}
            </span>
          </Radio>
        ))}
      </div>
    </RadioGroup>
  )
}
