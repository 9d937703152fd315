import { expect, it } from 'vitest'
import { createSystemClock } from '../../../electron/engine/index.ts'
import { secretUnknown } from '../../../electron/services/persistence/credential-store.ts'
import type { BucketDeps } from '../../../electron/services/places/open-bucket.ts'
import { createUploadConflicts } from '../../../electron/services/transfers/upload-conflicts.ts'
import type { Place } from '../../../shared/place/place.ts'
import { transferSnapshot } from '../../support/fakes/transfer-rows.ts'

const WHERE = { endpoint: 'https://studio.example', bucket: 'demo', dialect: 'storage', pathStyle: true } as const
const STUDIO = { ...WHERE, name: 'Studio', isDemo: false, signature: 'hmac-sha1', region: '', profile: '' } as const

it('lets the upload say that the key of its place isn’t saved, and says so where it must look before', async () => {
  const places = {
    require: (id: string) => ({ ...STUDIO, id }) as Place,
    openStore: () => {
      throw secretUnknown('not saved')
    },
  }
  const deps = { clock: createSystemClock(), random: Math.random } as BucketDeps['deps']
  const conflicts = createUploadConflicts({ engine: { snapshot: () => transferSnapshot([]) }, places, deps })
  const address = { placeId: 'studio', bucket: 'demo' }
  const files = [{ sourcePath: '/films/a.mov', key: 'a.mov' }]
  expect(await conflicts.find(address, files)).toEqual({ files: new Map(), isCertain: true })
  await expect(conflicts.resolve(address, files, 'skip')).rejects.toMatchObject({
    message: 'The key for Studio isn’t saved on this computer.',
  })
})
