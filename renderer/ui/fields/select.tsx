import { Check, ChevronDown } from 'lucide-react'
import {
  Button as AriaButton,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select as AriaSelect,
  SelectValue,
  Text,
} from 'react-aria-components'
import fields from './fields.module.css'
import styles from './select.module.css'

export interface SelectOption<Value extends string> {
  readonly value: Value
  readonly label: string
  /** Shown beside the label, smaller. */
  readonly detail?: string
}

export interface SelectProps<Value extends string> {
  readonly label: string
  /** Null: nothing is chosen. */
  readonly value: Value | null
  readonly options: readonly SelectOption<Value>[]
  readonly placeholder?: string
  readonly hint?: string
  readonly takesFocus?: boolean
  readonly onChange: (value: Value) => void
}

/** A choice of one of many options, in a list that opens. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, value, options, placeholder = '', hint, takesFocus = false, onChange } = props
  return (
    <AriaSelect
      value={value}
      placeholder={placeholder}
      {...{ autoFocus: takesFocus }}
      className={fields['field'] ?? ''}
      onChange={(key) => {
        const option = options.find((each) => each.value === key)
        if (option !== undefined) onChange(option.value)
      }}
    >
      <Label className={fields['label'] ?? ''}>{label}</Label>
      <AriaButton className={styles['button'] ?? ''}>
        <SelectValue className={styles['value'] ?? ''}>
          {({ isPlaceholder, defaultChildren }) =>
            isPlaceholder ? defaultChildren : options.find((option) => option.value === value)?.label
          }
        </SelectValue>
        <ChevronDown size={14} aria-hidden />
      </AriaButton>
      {hint !== undefined && (
        <Text slot="description" className={fields['hint'] ?? ''}>
          {hint}
        </Text>
      )}
      <Popover className={styles['popover'] ?? ''} offset={4}>
        <ListBox className={styles['list'] ?? ''}>
          {options.map((option) => (
            <ListBoxItem key={option.value} id={option.value} textValue={option.label} className={styles['item'] ?? ''}>
              <Check size={14} aria-hidden className={styles['tick']} />
              <span className={styles['name']}>{option.label}</span>
              {option.detail !== undefined && <span className={styles['detail']}>{option.detail}</span>}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}
