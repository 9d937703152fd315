/** A pressed key. `timeStamp` is when it was pressed (ms): on a busy machine, it is handled later. */
export interface PressedKey {
  readonly key: string
  readonly timeStamp: number
}

/** The beginning of a name that a person types into a list. */
export interface TypedWord {
  /** Whether this key would continue the word rather than begin another. */
  goesOn(pressed: PressedKey): boolean
  /** @returns the word so far, in lower case */
  add(pressed: PressedKey): string
}

/** Letters typed within this time of each other belong to one word, milliseconds. */
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
