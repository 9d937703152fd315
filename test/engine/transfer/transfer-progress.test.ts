import { expect, it } from 'vitest'
import { createPartsMap } from '../../../electron/engine/transfer/parts-map.ts'
import { TransferProgress } from '../../../electron/engine/transfer/transfer-progress.ts'
import { MIB } from '../../../shared/limits.ts'
import { createFakeClock } from '../../support/fakes/fake-clock.ts'

const PART = 8 * MIB
const LAYOUT = { count: 4, unitSizeBytes: PART }

/** Two of four parts are there, as the checkpoints say. */
function found() {
  const map = createPartsMap(LAYOUT.count, PART)
  map.set(0, 'done')
  map.set(1, 'done')
  const ignore = () => undefined
  return new TransferProgress(createFakeClock(), { confirmedBytes: 2 * PART, map }, ignore, ignore)
}

const cellsOf = (progress: TransferProgress) => progress.map?.cells().cells

it('shows the parts whose bytes it shows, though a run ends before it could look for them', () => {
  const progress = found()
  progress.start()
  progress.stage('preparing')
  progress.units(LAYOUT)
  progress.stop()
  expect(progress.confirmedBytes).toBe(2 * PART)
  expect(cellsOf(progress)).toEqual(['done', 'done', 'waiting', 'waiting'])
})

it('shows what a run found once it moves bytes', () => {
  const progress = found()
  progress.start()
  progress.stage('preparing')
  progress.units(LAYOUT)
  progress.unit(0, 'found')
  progress.confirmed(PART, 'found')
  progress.stage('transferring')
  expect(progress.confirmedBytes).toBe(PART)
  expect(cellsOf(progress)).toEqual(['found', 'waiting', 'waiting', 'waiting'])
})

it('has nothing on its way, and nothing that is tried again, after a run', () => {
  const progress = found()
  progress.start()
  progress.units(LAYOUT)
  progress.stage('transferring')
  progress.unit(0, 'done')
  progress.confirmed(PART, 'moved')
  progress.unit(1, 'active')
  progress.unit(2, 'retrying')
  progress.stop()
  expect(cellsOf(progress)).toEqual(['done', 'waiting', 'waiting', 'waiting'])
})
