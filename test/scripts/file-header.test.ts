import { Linter } from 'eslint'
import ts from 'typescript-eslint'
import { expect, test } from 'vitest'
import { fileHeader } from '../../scripts/lib/lint/file-header.mjs'

/** How many complaints a file of these lines gets. */
function complaints(...lines: readonly string[]): number {
  const config = {
    files: ['**/*.ts'],
    languageOptions: { parser: ts.parser },
    plugins: { sluice: { rules: { 'file-header': fileHeader } } },
    rules: { 'sluice/file-header': 'error' },
  } satisfies Linter.Config
  return new Linter().verify(lines.join('\n'), config, 'a.ts').length
}

test('a file says what it is in its first line, or where it exports its first value or type', () => {
  expect(complaints('// Counts bytes.', '', 'import "b"', 'export const a = 1')).toBe(0)
  expect(complaints('#!/usr/bin/env node', '// Counts bytes.', 'count()')).toBe(0)
  expect(complaints('import "b"', '/** Counts bytes. */', 'export function count() {}')).toBe(0)
  expect(complaints('export interface Options {}', '/** Counts bytes. */', 'export function count() {}')).toBe(0)
  expect(complaints('/** Who counts. */', 'export interface Counter {}', 'export function count() {}')).toBe(0)
})

test('a file that says nothing, or says it of something further down, is reported', () => {
  expect(complaints('import "b"', 'export const a = 1')).toBe(1)
  expect(complaints('import "b"', '/** Not exported. */', 'const b = 1', 'export const a = b')).toBe(1)
  expect(complaints('export const a = 1', '/** Counts bytes. */', 'export function count() {}')).toBe(1)
  expect(complaints('/* @ts-check */', 'import "b"', 'export const a = 1')).toBe(1)
})
