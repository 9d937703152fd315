/** A key as it was pressed, which on a busy machine is earlier than it is handled (ms). */
export interface PressedKey {
  readonly key: string
  readonly timeStamp: number
}

/** The beginning of a name that a person types into a list. */
export interface TypedWord {
  /** Whether this key would go on with the word, not begin another. */
  goesOn(pressed: PressedKey): boolean
  /** @returns the word so far, in lower case. */
  add(pressed: PressedKey): string
}

/** Letters that follow within this time belong to one word, milliseconds. */
const PAUSE_MS = 800

export function createTypedWord(): TypedWord {
  let word = ''
  let typedAtMs = -Infinity
  const goesOn = ({ timeStamp }: PressedKey): boolean => timeStamp - typedAtMs < PAUSE_MS
  return {
    goesOn,
    add(pressed) {
      word = (goesOn(pressed) ? word : '') + pressed.key.toLocaleLowerCase()
      typedAtMs = pressed.timeStamp
      return word
    },
  }
}
