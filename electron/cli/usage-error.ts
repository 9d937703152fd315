/** The command line can't be carried out as written. Exit status 2. */
export class UsageError extends Error {}

/** The choice that `text` names. Throws UsageError when there is none. */
export function oneOf<Choice extends string>(text: string, name: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((each) => each === text)
  if (choice === undefined) throw new UsageError(`--${name} must be ${choices.join(' or ')}.`)
  return choice
}
