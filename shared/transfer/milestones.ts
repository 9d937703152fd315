/** The course of a transfer as its history keeps it. The window says these in its language, by their names. */
export const MILESTONES = {
  added: 'Added',
  started: 'Started',
  continued: 'Continued',
  finished: 'Finished',
  closed: 'App was closed',
  interrupted: 'Interrupted: the computer slept or changed networks',
  paused: 'Paused by you',
  resumed: 'Resumed by you',
  retried: 'Tried again by you',
  'started-over': 'Started over by you',
  canceled: 'Canceled by you',
  'place-edited': 'Continued: its place was edited',
  'keyring-unlocked': 'Continued: the keyring was unlocked',
  'demo-store-back': 'Continued: the demo store is back',
} as const

export type Milestone = keyof typeof MILESTONES

/** Why transfers go on that failed or waited. */
export type RetryCause = Extract<Milestone, 'retried' | 'place-edited' | 'keyring-unlocked' | 'demo-store-back'>

const names = Object.keys(MILESTONES) as Milestone[]

/** What an entry of the history stands for; null: it tells something else. */
export function milestoneOf(text: string): Milestone | null {
  // As version 0.1.0 kept it.
  const said = text.replace(/^Went on: /, 'Continued: ')
  return names.find((name) => MILESTONES[name] === said) ?? null
}
