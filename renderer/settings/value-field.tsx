import { useContext, useEffect, useRef, useState } from 'react'
import { TextField } from '../ui/fields/fields.tsx'
import { TypedFields } from './typed-fields.ts'
import type { Writing } from './typed-values.ts'

export interface ValueFieldProps<Value> {
  readonly label: string
  readonly value: Value
  readonly writing: Writing<Value>
  readonly placeholder?: string
  readonly hint?: string
  readonly type?: 'text' | 'time'
  readonly onChange: (value: Value) => void
}

/** A field whose text is applied when it is left, or on Return. Text that can't be used stays, with the reason. */
export function ValueField<Value>({ value, writing, onChange, ...field }: ValueFieldProps<Value>) {
  const [typed, setTyped] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const kept = writing.toText(value)
  const [shown, setShown] = useState(kept)
  // The value was undone or reset, so earlier typed text is no longer meant.
  if (shown !== kept) {
    setShown(kept)
    setTyped(null)
    setProblem(null)
  }

  const input = useRef<HTMLInputElement>(null)
  const sheet = useContext(TypedFields)

  /** @returns whether the text was applied, or there was none to apply */
  function take(): boolean {
    if (typed === null) return true
    const read = writing.read(typed)
    if ('problem' in read) {
      setProblem(read.problem)
      return false
    }
    setTyped(null)
    if (writing.toText(read.value) !== kept) onChange(read.value)
    return true
  }

  useEffect(() => {
    if (typed === null || sheet === null) return
    const { tab, fields } = sheet
    const entered = { tab, isTold: problem !== null, take, focus: () => input.current?.focus() }
    fields.add(entered)
    return () => void fields.delete(entered)
  })

  return (
    <TextField
      {...field}
      value={typed ?? kept}
      error={problem}
      inputRef={input}
      onChange={(text) => {
        setTyped(text)
        setProblem(null)
      }}
      onBlur={() => void take()}
      onReturn={() => void take()}
    />
  )
}
