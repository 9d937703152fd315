// Loaded in one go: what is loaded twice is not the same to `instanceof`.
export { createEngine, createHasher, createSystemClock, openCheckpointStore } from '../../../electron/engine/index.ts'
export { createStore } from '../../../electron/stores/index.ts'
