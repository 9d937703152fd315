import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { MUTANTS } from '../../scripts/mutants/list.mjs'

test.each(MUTANTS)('the mutant $name applies to one place of the code', async ({ file, from, to }) => {
  const source = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8')
  expect(source.split(from)).toHaveLength(2)
  expect(from).not.toBe(to)
})
