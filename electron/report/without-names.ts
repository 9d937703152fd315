// The parts of errors and of the log that name nothing: codes, kinds, times and locations in the program.

import { constants } from 'node:os'

/** Names of system errors and of host look-up errors. */
const ERRNOS: ReadonlySet<string> = new Set([...Object.keys(constants.errno), 'ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL'])

/** Returns the names of system errors in a text, each once. Pure. */
export function errnosIn(text: string): readonly string[] {
  return [...new Set(text.match(/\bE[A-Z0-9_]+\b/g))].filter((word) => ERRNOS.has(word))
}

/** Returns a code that a service made up; null when it may be anything else. Pure. */
export function codeWord(code: string): string | null {
  return /^[A-Z][A-Za-z0-9]{1,63}$/.test(code) ? code : null
}

const ENTRY = /^(\d{4}-\d\d-\d\dT[\d:.]+Z) (.*)$/
/** What the app logs about its starts and ends and about its processes. */
const NOTE = /^(started \d[\w.-]*( in safe mode)?|closed|[A-Za-z ]+ gone: [a-z-]+, exit code -?\d+)$/
/** The action that failed, in the program's words, and the kind of error. */
const FAILURE = /^([a-z]+(?:[ -][a-z]+){0,3}): (?:([A-Z]\w*Error|Error)\b)?/
/** A line of a stack trace; only the file's name is kept. */
const FRAME = /^\s+at .*?([\w.-]+\.[cm]?[jt]s:\d+:\d+)\)?$/

/** Returns a log with its times and the parts of its lines that have a known form. Pure. */
export function logWithoutNames(log: string): string {
  return log.split('\n').flatMap(lineWithoutNames).join('\n')
}

function lineWithoutNames(line: string): readonly string[] {
  const [, time, said] = ENTRY.exec(line) ?? []
  if (time === undefined || said === undefined) {
    const frame = FRAME.exec(line)?.[1]
    return frame === undefined ? [] : [`    at ${frame}`]
  }
  if (NOTE.test(said)) return [line]
  const [, what, kind] = FAILURE.exec(said) ?? []
  const facts = [kind, ...errnosIn(said)].filter((fact) => fact !== undefined)
  const about = what === undefined ? '' : `${what}:`
  return [[time, about, ...facts].filter((word) => word !== '').join(' ')]
}
