// What people who mean harm, or disks that fail, put in the place of what was written: for property tests.

import fc from 'fast-check'
import { afterEach, expect } from 'vitest'

/** Names that mean something to a language, a file system or a terminal. */
const CHARGED = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', 'length', ''],
  ...['..', '../../etc/passwd', '..\\..\\x', '/', '\\', 'C:\\x', 'con', 'a:b', '.', './', '//x/y', '%2e%2e%2f', '~'],
  ...['\0', 'a\0b', '\r\nX: y', '\u202egpj.exe', '\ud800', '\ufeff', '\u2028', '=?utf-8?b??=', '<', ']]>', '${x}', "'"],
  ...['-1', '1e309', 'NaN', 'Infinity', '9'.repeat(400), 'a'.repeat(70_000), '"', '{}', '[', 'null'],
]

export const hostileText = fc.oneof(
  fc.constantFrom(...CHARGED),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc
    .array(fc.constantFrom(...CHARGED.filter(({ length }) => length < 100)), { maxLength: 6 })
    .map((all) => all.join('')),
)

const hostileNumber = fc.constantFrom(-1, -0, 0.5, 2 ** 31, 2 ** 53, 2 ** 53 + 2, -(2 ** 63), 1e308, 1)

/** Anything that JSON can say. Members have charged names, `__proto__` among them. */
export const hostileJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    hostileText,
    hostileNumber,
    fc.constantFrom(null, true, false),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(hostileText, tie('value')), { maxLength: 4 }).map(ownMembers),
  ),
})).value

/** `__proto__` as a member of its own, as `JSON.parse` makes it. */
function ownMembers(entries: readonly (readonly [string, unknown])[]): unknown {
  return Object.fromEntries(entries)
}

/** A value that is right but for one or two of its members, which are gone, or hostile. */
export function almost(value: unknown): fc.Arbitrary<unknown> {
  const paths = pathsIn(value)
  const change = fc.tuple(fc.constantFrom(...paths), fc.option(hostileJson, { nil: undefined }))
  return fc
    .array(change, { minLength: 1, maxLength: 2 })
    .map((changes) => changes.reduce((changed, [path, to]) => replaced(changed, path, to), value))
}

type Path = readonly (string | number)[]

function pathsIn(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const below = Object.entries(value).flatMap(([name, member]) => pathsIn(member, [...path, name]))
  return [path, ...below]
}

function replaced(value: unknown, [name, ...rest]: Path, to: unknown): unknown {
  if (name === undefined) return to
  if (typeof value !== 'object' || value === null) return value
  const members = value as Readonly<Record<string, unknown>>
  const changed = { ...members, [name]: replaced(members[name], rest, to) }
  return Array.isArray(value) ? Object.values(changed) : changed
}

/** To be called once by a file of tests: nothing that was read may have changed what all objects are made from. */
export function expectNoPollution(): void {
  const before = [Object.prototype, Array.prototype, Function.prototype].map(Reflect.ownKeys)
  afterEach(() => {
    expect([Object.prototype, Array.prototype, Function.prototype].map(Reflect.ownKeys)).toEqual(before)
  })
}
