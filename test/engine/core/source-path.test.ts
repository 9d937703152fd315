import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sourcePathOf } from '../../../electron/engine/core/source-path.ts'

const home = (name: string) => join('/home/ada', name)
const pathOf = (sources: readonly string[], name: string) => sourcePathOf({ sourcePaths: sources.map(home) }, name)

test('finds the file of a name below what was chosen', () => {
  expect(pathOf(['music', 'photos'], 'photos/2026/a.jpg')).toBe(home('photos/2026/a.jpg'))
  expect(pathOf(['notes.txt'], 'notes.txt')).toBe(home('notes.txt'))
  expect(pathOf(['music'], 'photos/a.jpg')).toBeNull()
})

test('knows a folder by the composed form of its name, too', () => {
  const [composed, decomposed] = ['Zürich', 'Zürich'.normalize('NFD')]
  expect(pathOf([decomposed], `${composed}/a.jpg`)).toBe(home(`${decomposed}/a.jpg`))
  expect(pathOf([decomposed, composed], `${composed}/a.jpg`)).toBe(home(`${composed}/a.jpg`))
})
