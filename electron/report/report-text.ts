// A report of what Sluice knows about itself, for people who look for a fault: values in, text out.

import type { Place } from '../../shared/place/place.ts'
import type { Settings } from '../../shared/settings.ts'
import type { TransferRow } from '../../shared/transfer/transfer.ts'
import { redact } from './redact.ts'
import { codeWord, errnosIn, logWithoutNames } from './without-names.ts'

/** A line of a section: its subject, and what is said about it. */
export type Fact = readonly [about: string, said: string]

export interface AppReport {
  readonly machine: readonly Fact[]
  readonly settings: Settings
  readonly places: readonly Place[]
  readonly rows: readonly TransferRow[]
  /** The end of the log. */
  readonly log: string
}

/** Further rows are only counted. */
const MAX_ROWS = 1000

/**
 * Returns the report of the app. Without `withNames`, it names no file, object, bucket, place or address; it never
 * contains a key or secret. Pure.
 */
export function appReport({ machine, settings, places, rows, log }: AppReport, withNames: boolean): string {
  const { downloadsFolder, ...others } = settings
  const shownSettings = Object.entries({
    ...others,
    downloadsFolder: downloadsFolder === null ? 'the system’s' : 'own',
  })
  const shownLog = withNames ? log : logWithoutNames(log)
  const shown = rows.slice(0, MAX_ROWS)
  const text = [
    section('Sluice', machine),
    section(
      'Settings',
      shownSettings.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    ),
    section(
      'Places',
      places.map((place, index) => [`Place ${String(index + 1)}`, placeFacts(place, withNames)]),
    ),
    section(
      rows.length > shown.length ? `Transfers, the first ${String(MAX_ROWS)} of ${String(rows.length)}` : 'Transfers',
      shown.map((row, index) => [`Transfer ${String(index + 1)}`, rowFacts(row, places, withNames)]),
    ),
    `Log\n---\n${shownLog === '' ? 'Nothing was written.' : shownLog}`,
  ].join('\n\n')
  return `${redact(text)}\n`
}

/** Formats a heading and its lines. Pure. */
export function section(title: string, facts: readonly Fact[]): string {
  const lines = facts.map(([about, said]) => `${about}: ${said.replaceAll(/[\r\n]+/g, ' ')}`)
  return [title, '-'.repeat(title.length), ...(lines.length === 0 ? ['None.'] : lines)].join('\n')
}

function placeFacts(place: Place, withNames: boolean): string {
  const { dialect, preset, pathStyle, signature, region, endpoint, accessKeyId, profile, isDemo } = place
  const facts = [
    ...(withNames ? [place.name, endpoint, place.bucket === '' ? 'all buckets' : place.bucket] : []),
    ...(isDemo ? ['demo store'] : [preset]),
    `${dialect}, ${new URL(endpoint).protocol.slice(0, -1)}, ${pathStyle ? 'bucket in the path' : 'bucket in the host'}`,
    `signature ${signature}${region === '' || !withNames ? '' : `, region ${region}`}`,
    profile === '' ? (accessKeyId === '' ? 'no key' : 'own key') : 'key of a profile',
    ...(place.lacksSecret === true ? [place.isLocked === true ? 'secret locked' : 'secret missing'] : []),
  ]
  return facts.join(', ')
}

function rowFacts(row: TransferRow, places: readonly Place[], withNames: boolean): string {
  const { direction, status, confirmedBytes, sizeBytes, unitsDone, unitsTotal, wait, error, verification } = row
  const place = places.findIndex(({ id }) => id === row.placeId)
  const facts = [
    ...(withNames ? [row.name, row.bucket, row.key, row.localPath].filter((text) => text !== '') : []),
    `${direction}, ${status}, ${String(confirmedBytes)} of ${sizeBytes === null ? '?' : String(sizeBytes)} bytes`,
    `${String(unitsDone)} of ${String(unitsTotal)} parts`,
    place === -1 ? 'no place' : `place ${String(place + 1)}`,
    ...(wait === null ? [] : [`waits: ${wait.reason}, try ${String(wait.attempt)}`]),
    ...(error === null ? [] : errorFacts(error, withNames)),
    ...(verification === null ? [] : [`checked: ${verification}`]),
  ]
  return facts.join(', ')
}

function errorFacts(error: NonNullable<TransferRow['error']>, withNames: boolean): readonly string[] {
  const { code, httpStatus, serviceCode, detail } = error
  const status = [`error ${code}`, `HTTP ${String(httpStatus ?? 'none')}`]
  if (withNames) return [...status, `${serviceCode ?? 'no code'}: ${detail}`]
  return [...status, serviceCode === null ? 'no code' : (codeWord(serviceCode) ?? 'another code'), ...errnosIn(detail)]
}
