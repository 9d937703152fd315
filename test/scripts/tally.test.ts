import { expect, test } from 'vitest'
import { addTallies, closingLine, tallyOf } from '../../scripts/lib/tally.mjs'

const file = (status: string, ...tests: string[]) => ({
  name: 'a.test.ts',
  status,
  message: 'no such module',
  assertionResults: tests.map((each) => ({
    status: each,
    fullName: `is ${each}`,
    failureMessages: each === 'failed' ? ['1 is not 2\n  at a.test.ts:1:1'] : [],
  })),
})

test('counts what the runner reported', () => {
  const report = { testResults: [file('passed', 'passed', 'pending'), file('failed', 'passed', 'failed', 'todo')] }
  expect(tallyOf(report, 1)).toEqual({
    passed: 2,
    failed: 1,
    skipped: 2,
    failures: ['a.test.ts > is failed\n    1 is not 2\n      at a.test.ts:1:1'],
  })
})

test('counts a file that could not be loaded as a failure', () => {
  const failures = ['a.test.ts\n    no such module']
  expect(tallyOf({ testResults: [file('failed')] }, 1)).toEqual({ passed: 0, failed: 1, skipped: 0, failures })
})

test('counts a run that ended badly, or left no report, as a failure', () => {
  expect(tallyOf({ testResults: [file('passed', 'passed')] }, 1)).toMatchObject({ passed: 1, failed: 1, skipped: 0 })
  expect(tallyOf(undefined, 0)).toMatchObject({ passed: 0, failed: 1, skipped: 0 })
})

test('closes with one line over all runs', () => {
  const total = addTallies([
    { passed: 2, failed: 0, skipped: 0, failures: [] },
    { passed: 3, failed: 1, skipped: 0, failures: ['a.test.ts > is right'] },
  ])
  expect(total.failures).toEqual(['a.test.ts > is right'])
  expect(closingLine(total)).toBe('5 passed, 1 failed')
  expect(closingLine({ ...total, skipped: 2 })).toBe('5 passed, 1 failed, 2 skipped')
})
