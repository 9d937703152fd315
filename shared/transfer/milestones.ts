/** The entries of a transfer's history as they are stored. The window shows them in its own language, by name. */
export const MILESTONES = {
  added: 'Added',
  started: 'Started',
  continued: 'Continued',
  finished: 'Finished',
  closed: 'App was closed',
  interrupted: 'Interrupted: the computer slept or changed networks',
  paused: 'Paused by you',
  'safe-mode': 'Paused: safe mode',
  resumed: 'Resumed by you',
  'pause-over': 'Continued: the pause is over',
  retried: 'Tried again by you',
  'started-over': 'Started over by you',
  canceled: 'Canceled by you',
  'place-removed': 'Stopped: its place was removed',
  'place-stays': 'Continued: its place was not removed',
  'place-edited': 'Continued: its place was edited',
  'keyring-unlocked': 'Continued: the keyring was unlocked',
  'demo-store-back': 'Continued: the demo store is back',
} as const

export type Milestone = keyof typeof MILESTONES

/** Why transfers were paused. */
export type PauseCause = Extract<Milestone, 'paused' | 'safe-mode' | 'place-removed'>

/** Why paused transfers are in line again. Those of a removed place find out there that it is gone. */
export type ResumeCause = Extract<Milestone, 'resumed' | 'pause-over' | 'place-removed' | 'place-stays'>

/** Why failed or waiting transfers were retried. */
export type RetryCause = Extract<Milestone, 'retried' | 'place-edited' | 'keyring-unlocked' | 'demo-store-back'>

const names = Object.keys(MILESTONES) as Milestone[]

/** The milestone that an entry of the history stands for; null: it is another kind of entry. */
export function milestoneOf(text: string): Milestone | null {
  // Version 0.1.0 stored “Went on”.
  const said = text.replace(/^Went on: /, 'Continued: ')
  return names.find((name) => MILESTONES[name] === said) ?? null
}
