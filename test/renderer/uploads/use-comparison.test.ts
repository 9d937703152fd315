import { expect, it } from 'vitest'
import { withProgress, type Comparison } from '../../../renderer/uploads/use-comparison.ts'

const PROGRESS = { comparedBytes: 5, totalBytes: 10 }

it('follows a comparison until it is answered, and progress that arrives late changes no answer', () => {
  const comparing: Comparison = { kind: 'comparing', comparedBytes: 0, totalBytes: 0 }
  const compared: Comparison = { kind: 'compared', offer: { candidates: [], unseen: 0 } }
  const failed: Comparison = { kind: 'failed', error: new Error('Studio isn’t responding.') }
  expect(withProgress(comparing, PROGRESS)).toEqual({ kind: 'comparing', ...PROGRESS })
  expect(withProgress(compared, PROGRESS)).toBe(compared)
  expect(withProgress(failed, PROGRESS)).toBe(failed)
})
