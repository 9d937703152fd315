// The settings by section, with their defaults.

import { DEFAULT_SETTINGS, type Settings } from '../../shared/settings.ts'

/** The sections whose settings apply as soon as they are set. */
export type SettingsSection = 'general' | 'transfers' | 'bandwidth' | 'advanced'

const MEMBERS: Readonly<Record<SettingsSection, readonly (keyof Settings)[]>> = {
  general: [
    'whenClosed',
    'appearance',
    'language',
    'units',
    'showsTray',
    'opensAtLogin',
    'notifiesDone',
    'notifiesAttention',
    'checksForUpdates',
    'updateChannel',
  ],
  transfers: ['startsAdded', 'clearsDone', 'downloadsFolder'],
  bandwidth: [
    'limitBytesPerSecond',
    'uploadLimitBytesPerSecond',
    'downloadLimitBytesPerSecond',
    'lowSpeedBytesPerSecond',
    'lowSpeedSchedule',
  ],
  advanced: ['activeTransfers', 'connectionsPerTransfer', 'partSizeBytes'],
}

export function defaultsOf(section: SettingsSection): Partial<Settings> {
  return pick(DEFAULT_SETTINGS, MEMBERS[section])
}

/** Whether a section has its default values. */
export function isByDefault(section: SettingsSection, settings: Settings): boolean {
  return JSON.stringify(pick(settings, MEMBERS[section])) === JSON.stringify(defaultsOf(section))
}

/** The present values of the members that a change sets. */
export function beforeChange(settings: Settings, changes: Partial<Settings>): Partial<Settings> {
  return pick(settings, Object.keys(changes) as readonly (keyof Settings)[])
}

function pick(settings: Settings, members: readonly (keyof Settings)[]): Partial<Settings> {
  return Object.fromEntries(members.map((member) => [member, settings[member]]))
}
